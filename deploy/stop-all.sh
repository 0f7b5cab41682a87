#!/usr/bin/env bash
# usage: deploy/stop-all.sh [--run DIR]
#
# Stops what deploy/run-all.sh started, and returns when all of it has gone. It is no error if nothing runs.
#
#   --run DIR  the run directory that run-all.sh was given (default: $TRIPTYCH_RUN, else ./run)
#   --help     prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

run=${TRIPTYCH_RUN:-run}
stop_seconds_max=60

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --run=*) set -- --run "${1#*=}" "${@:2}" && continue ;;
            --run) need_value "$1" $# "${2:-}" && run=$2 && shift ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

# A supervisor that was killed leaves its number behind, and services that stop by themselves at that moment.
await_orphans() {
    local service
    [ -s "$run/run-all.pid" ] || return 0
    for service in "${services[@]}"; do
        if [ -e "$run/$service.sock.lock" ]; then flock -w 15 -- "$run/$service.sock.lock" true || true; fi
    done
}

parse "$@"
if [ ! -e "$run/run-all.pid" ]; then
    say "Nothing runs in $run."
    exit 0
fi
# Whoever runs holds the lock, so the number in the file is a living process's for as long as it is locked.
exec 9<"$run/run-all.pid"
if flock -n 9; then
    await_orphans
    say "Nothing runs in $run."
    exit 0
fi
while ! flock -n 9; do
    [ $SECONDS -lt $stop_seconds_max ] || fail "it did not stop within $stop_seconds_max s: see the logs in $run"
    process=$(<"$run/run-all.pid")
    if [ -n "$process" ]; then kill -TERM "$process" 2>/dev/null || true; fi
    if flock -w 1 9; then break; fi
done
say "Stopped."
