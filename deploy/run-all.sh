#!/usr/bin/env bash
# usage: deploy/run-all.sh [--run DIR] [--data DIR] [--catalog FILE]... [--web [PORT]] [--detach]
#
# Starts all of Triptych: installs missing Debian packages, builds a release, starts the three services, waits
# until they are healthy, imports the sample catalogs into an empty data directory, and restarts a service that
# dies. Ctrl-C or SIGTERM stops everything.
#
#   --run DIR       where the sockets and logs are (default: $TRIPTYCH_RUN, else ./run)
#   --data DIR      where the databases are (default: $TRIPTYCH_DATA, else ./data)
#   --catalog FILE  also imports this catalog; may be given several times
#   --web [PORT]    also shows it to browsers of this machine (default port: 8765; 0 is any free one)
#   --detach        returns when everything is healthy; stop it with deploy/stop-all.sh
#   --help          prints this
#
# TRIPTYCH_BIN names a directory of programs that are already built; then nothing is built.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

run=${TRIPTYCH_RUN:-run}
data=${TRIPTYCH_DATA:-data}
catalogs=()
web_port=
detaches=false

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --run=* | --data=* | --catalog=* | --web=*) set -- "${1%%=*}" "${1#*=}" "${@:2}" && continue ;;
            --run) need_value "$1" $# "${2:-}" && run=$2 && shift ;;
            --data) need_value "$1" $# "${2:-}" && data=$2 && shift ;;
            --catalog) need_value "$1" $# "${2:-}" && add_catalog "$2" && shift ;;
            --web)
                web_port=8765
                if [[ ${2:-} =~ ^[0-9]+$ ]]; then web_port=$2 && shift; fi
                [ "$web_port" -le 65535 ] || fail "--web takes a port from 0 to 65535" 64
                ;;
            --detach) detaches=true ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

add_catalog() {
    [ -r "$1" ] || fail "can't read the catalog $1" 66
    catalogs+=("$(realpath -- "$1")")
}

# The run directory is entered by this user alone. One that is there already is not changed: it may be anything.
make_run_directory() {
    run=$(realpath -m -- "$run")
    data=$(realpath -m -- "$data")
    local longest=$run/selection.sock
    local LC_ALL=C
    [ ${#longest} -le 107 ] || fail "$longest is too long for a socket (107 bytes): name a shorter directory with --run" 64
    mkdir -p -- "$(dirname -- "$run")"
    [ -d "$run" ] || mkdir -m 700 -- "$run"
    [ "$(stat -c %a -- "$run")" = 700 ] \
        || fail "others can enter the run directory: chmod 700 $run, or name another one with --run" 77
}

# Descriptor 9 is held locked by whoever starts, then by the supervisor.
take_lock() {
    exec 9>>"$run/run-all.pid"
    flock -n 9 || fail "Triptych runs in $run already: stop it with deploy/stop-all.sh, or name another directory with --run" 69
    say $$ >"$run/run-all.pid"
}

# Starts the supervisor in a session of its own, shows what it says, and ends when it says that all is ready.
detach() {
    local line supervisor is_ready=false
    exec 8< <(exec setsid "$@" </dev/null 2>&1)
    supervisor=$!
    trap 'kill -TERM "$supervisor" 2>/dev/null || true' INT TERM
    exec 9>&-
    while IFS= read -r line <&8; do
        if [ "$line" = ready ]; then is_ready=true; else say "$line"; fi
    done
    $is_ready || fail "Triptych was not started"
}

parse "$@"
make_run_directory
take_lock
need_release_build
[ -z "$web_port" ] || [ -x "$bin/triptych-web" ] || fail "there is no triptych-web in $bin" 69
supervise=("$deploy/supervise.sh" "$bin" "$run" "$data" "$detaches" "$web_port" "${catalogs[@]}")
if $detaches; then detach "${supervise[@]}"; else exec "${supervise[@]}"; fi
