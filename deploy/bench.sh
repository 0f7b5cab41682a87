#!/usr/bin/env bash
# usage: deploy/bench.sh [--rounds N] [--milliseconds N] [--sessions N] [--output FILE]
#        deploy/bench.sh --catalog-items N
#
# Measures view.get: starts the product with the samples in a temporary directory, makes sessions with something
# selected, and asks for their views, in turn with a bare server of as many bytes. Prints a table.
#
#   --rounds N        rounds of each case, of which the medians count (default: 5)
#   --milliseconds N  the length of a round (default: 1000)
#   --sessions N      how many sessions there are (default: 1000)
#   --output FILE     where the figures go as JSON (default: .build/bench.json)
#   --catalog-items N measures the catalog service alone instead: imports a catalog of N items, and reads it
#   --help            prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

rounds=5
milliseconds=1000
sessions=1000
output=$root/.build/bench.json
items=
place=
floor=
service=

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --rounds) need_value "$1" $# "${2:-}" && rounds=$2 && shift ;;
            --milliseconds) need_value "$1" $# "${2:-}" && milliseconds=$2 && shift ;;
            --sessions) need_value "$1" $# "${2:-}" && sessions=$2 && shift ;;
            --output) need_value "$1" $# "${2:-}" && output=$2 && shift ;;
            --catalog-items) need_value "$1" $# "${2:-}" && items=$2 && shift ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

clean_up() {
    if [ -n "$floor" ]; then kill "$floor" || true; fi
    if [ -n "$service" ]; then
        kill "$service" || true
        wait "$service" || true
    fi
    [ -n "$items" ] || "$deploy/stop-all.sh" --run "$place/run" >/dev/null || true
    rm -rf -- "$place"
}

# Waits some milliseconds, without starting anything for it.
nap() { read -rt 0.005 <> <(:) || true; }

start_catalog_service() {
    [ -d "$place/run" ] || mkdir -m 700 "$place/run"
    "$bin/catalog-service" --socket "$place/run/catalog.sock" --data "$place/data" 2>>"$place/log" &
    service=$!
    until (cd "$place/run" && is_healthy catalog); do nap; done
}

milliseconds_now() { say $((${EPOCHREALTIME/./} / 1000)); }

measure_catalog() {
    local begin
    say "Writing $items items ..."
    "$bin/bench" catalog-file --items "$items" --output "$place/large.ndjson"
    start_catalog_service
    say "Importing ..."
    "$bin/triptych" import --run "$place/run" "$place/large.ndjson" &
    "$bin/bench" catalog-import --run "$place/run" --items "$items"
    wait $!
    kill "$service" && wait "$service"
    begin=$(milliseconds_now)
    start_catalog_service
    say "from the start to a good rpc.health: $(($(milliseconds_now) - begin)) ms"
    say "the file: $(stat -c %s -- "$place/data/catalog.sqlite") bytes"
    say "Waiting until the service has nothing left to do ..."
    settle
    "$bin/bench" catalog-reads --run "$place/run" --items "$items"
}

# Waits until the service has used no processor time for two seconds.
settle() {
    local before=-1 now=0
    while [ "$before" != "$now" ]; do
        before=$now
        read -rt 2 <> <(:) || true
        now=$(awk '{print $14 + $15}' "/proc/$service/stat")
    done
}

parse "$@"
need_release_build
place=$(mktemp -d)
trap clean_up EXIT
trap 'exit 1' INT TERM
if [ -n "$items" ]; then
    measure_catalog
    exit
fi
"$deploy/run-all.sh" --run "$place/run" --data "$place/data" --detach >/dev/null
say "Making $sessions sessions ..."
bytes=$("$bin/bench" prepare --run "$place/run" --sessions "$sessions")
say "A view has $bytes bytes. Measuring $((3 * 2 * (rounds + 1) * milliseconds / 1000)) s ..."
"$bin/bench" floor --floor "$place/run/floor.sock" --bytes "$bytes" &
floor=$!
until [ -S "$place/run/floor.sock" ]; do read -rt 0.02 <> <(:) || true; done
"$bin/bench" measure --run "$place/run" --floor "$place/run/floor.sock" --floor-process "$floor" \
    --sessions "$sessions" --rounds "$rounds" --milliseconds "$milliseconds" --output "$output"
say "The figures are in $output."
