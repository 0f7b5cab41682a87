#!/usr/bin/env bash
# usage: deploy/soak.sh [--changes N] [--subscribers N] [--seconds N] [--kill-ms N] [--seed N]
#                       [--spare SERVICE]
#
# Proves that live views hold: starts the product in a temporary directory, changes catalogs and sends events at
# random while windows of all sizes are kept current and a random service is killed again and again. At the end
# every window must show what is there, no event may be missing, and nothing acknowledged may be lost.
#
#   --changes N      catalog changes, and as many events (default: 10000)
#   --subscribers N  windows, each on a connection of its own (default: 100)
#   --seconds N      how long it takes at least (default: 60)
#   --kill-ms N      how often a service is killed, in milliseconds (default: 3000)
#   --seed N         begins chance as a run before did (default: another one every time)
#   --spare SERVICE  never kills this one (gateway, catalog, selection); at the end its memory may be at most 5 % above
#                    that after two minutes, and it must have as many descriptors
#   --help           prints this
#
# TRIPTYCH_BIN names a directory of programs that are already built; then nothing is built.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

changes=10000
subscribers=100
seconds=60
kill_ms=3000
seed=$((RANDOM * 32768 + RANDOM + 1))
spare=()
place=

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --changes) need_value "$1" $# "${2:-}" && changes=$2 && shift ;;
            --subscribers) need_value "$1" $# "${2:-}" && subscribers=$2 && shift ;;
            --seconds) need_value "$1" $# "${2:-}" && seconds=$2 && shift ;;
            --kill-ms) need_value "$1" $# "${2:-}" && kill_ms=$2 && shift ;;
            --seed) need_value "$1" $# "${2:-}" && seed=$2 && shift ;;
            --spare) need_value "$1" $# "${2:-}" && spare=(--spare "$2") && shift ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

clean_up() {
    "$deploy/stop-all.sh" --run "$place/run" >/dev/null || true
    rm -rf -- "$place"
}

parse "$@"
need_release_build
place=$(mktemp -d)
trap clean_up EXIT
trap 'exit 1' INT TERM
# Or the services would soon be down more than up.
export TRIPTYCH_RESTART_SECONDS_MAX=1
"$deploy/run-all.sh" --run "$place/run" --data "$place/data" --detach >/dev/null
"$bin/bench" soak --run "$place/run" --changes "$changes" --subscribers "$subscribers" --seconds "$seconds" \
    --kill-ms "$kill_ms" --seed "$seed" ${spare[@]+"${spare[@]}"}
