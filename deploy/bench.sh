#!/usr/bin/env bash
# usage: deploy/bench.sh [--live] [--rounds N] [--milliseconds N] [--sessions N] [--output FILE]
#
# Measures view.get: starts the product with the samples in a temporary directory, makes sessions with something
# selected, and asks for their views, in turn with a bare server of as many bytes. Prints a table.
#
#   --live            measures windows that are kept current instead
#   --rounds N        rounds of each case, of which the medians count (default: 5)
#   --milliseconds N  the length of a round (default: 1000)
#   --sessions N      how many sessions there are (default: 1000)
#   --output FILE     where the figures go as JSON (default: .build/bench.json)
#   --help            prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

rounds=5
milliseconds=1000
sessions=1000
output=$root/.build/bench.json
place=
floor=
measures_live=false

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --live) measures_live=true ;;
            --rounds) need_value "$1" $# "${2:-}" && rounds=$2 && shift ;;
            --milliseconds) need_value "$1" $# "${2:-}" && milliseconds=$2 && shift ;;
            --sessions) need_value "$1" $# "${2:-}" && sessions=$2 && shift ;;
            --output) need_value "$1" $# "${2:-}" && output=$2 && shift ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

clean_up() {
    if [ -n "$floor" ]; then kill "$floor" || true; fi
    "$deploy/stop-all.sh" --run "$place/run" >/dev/null || true
    rm -rf -- "$place"
}

parse "$@"
need_release_build
place=$(mktemp -d)
trap clean_up EXIT
trap 'exit 1' INT TERM
"$deploy/run-all.sh" --run "$place/run" --data "$place/data" --detach >/dev/null
if $measures_live; then
    "$bin/bench" live --run "$place/run" --rounds "$rounds"
    exit
fi
say "Making $sessions sessions ..."
bytes=$("$bin/bench" prepare --run "$place/run" --sessions "$sessions")
say "A view has $bytes bytes. Measuring $((3 * 2 * (rounds + 1) * milliseconds / 1000)) s ..."
"$bin/bench" floor --floor "$place/run/floor.sock" --bytes "$bytes" &
floor=$!
until [ -S "$place/run/floor.sock" ]; do read -rt 0.02 <> <(:) || true; done
"$bin/bench" measure --run "$place/run" --floor "$place/run/floor.sock" --floor-process "$floor" \
    --sessions "$sessions" --rounds "$rounds" --milliseconds "$milliseconds" --output "$output"
say "The figures are in $output."
