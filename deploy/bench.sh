#!/usr/bin/env bash
# usage: deploy/bench.sh [--rounds N] [--milliseconds N] [--sessions N] [--output FILE]
#        deploy/bench.sh --catalog-items N
#        deploy/bench.sh --live
#        deploy/bench.sh --crowd
#        deploy/bench.sh --curves [--rounds N] [--milliseconds N] [--output FILE]
#        deploy/bench.sh --events
#        deploy/bench.sh --instructions [--accept]
#
# Measures view.get: starts the product with the samples in a temporary directory, makes sessions with something
# selected, and asks for their views, in turn with a bare server of as many bytes. Prints a table.
#
#   --rounds N        rounds of each case, of which the medians count (default: 5)
#   --milliseconds N  the length of a round (default: 1000)
#   --sessions N      how many sessions there are (default: 1000)
#   --output FILE     where the figures go as JSON (default: .build/bench.json)
#   --catalog-items N measures the catalog service alone instead: imports a catalog of N items, reads it,
#                     changes it, and asks the gateway for views of it
#   --live            measures windows that are kept current instead
#   --crowd           measures what one polite client waits instead: alone, beside one greedy one, and beside 700
#   --curves          measures how it scales instead: connections, requests in flight, rows, sessions, items; draws it
#                     (default for FILE: .build/scaling.svg)
#   --events          measures durable events at the selection service instead
#   --instructions    counts the instructions of the gateway for one request instead, and those of the selection service
#                     for one event that is sent straight to it (needs valgrind), and fails if one figure is more than a
#                     tenth above that in Benchmarks/instructions.json
#   --accept          writes what was counted to that file
#   --help            prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

rounds=5
milliseconds=1000
sessions=1000
output=
items=
measures_live=false
measures_crowd=false
measures_curves=false
crowd=
measures_events=false
place=
floor=
composing=
counts=
accept=
service=
launcher=()
others=()
counted=

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --live) measures_live=true ;;
            --crowd) measures_crowd=true ;;
            --curves) measures_curves=true ;;
            --events) measures_events=true ;;
            --rounds) need_value "$1" $# "${2:-}" && rounds=$2 && shift ;;
            --milliseconds) need_value "$1" $# "${2:-}" && milliseconds=$2 && shift ;;
            --sessions) need_value "$1" $# "${2:-}" && sessions=$2 && shift ;;
            --output) need_value "$1" $# "${2:-}" && output=$2 && shift ;;
            --catalog-items) need_value "$1" $# "${2:-}" && items=$2 && shift ;;
            --instructions) counts=yes ;;
            --accept) accept=yes ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

clean_up() {
    if [ -n "$floor" ]; then kill "$floor" || true; fi
    if [ -n "$crowd" ]; then kill "$crowd" || true; fi
    if [ -n "$composing" ]; then kill "$composing" || true; fi
    for process in ${others[@]+"${others[@]}"}; do kill "$process" || true; done
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
    ${launcher[@]+"${launcher[@]}"} "$bin/catalog-service" --socket "$place/run/catalog.sock" --data "$place/data" 2>>"$place/log" &
    service=$!
    until (cd "$place/run" && is_healthy catalog); do nap; done
}

milliseconds_now() { say $((${EPOCHREALTIME/./} / 1000)); }

# start_service NAME: one of those that ask the catalog service.
start_service() {
    local options=()
    [ "$1" = gateway ] && options=(--selection-socket "$place/run/selection.sock")
    [ "$1" = gateway ] || options=(--data "$place/data")
    "$bin/$2" --socket "$place/run/$1.sock" --catalog-socket "$place/run/catalog.sock" "${options[@]}" 2>>"$place/log" &
    others+=($!)
    until (cd "$place/run" && is_healthy "$1"); do nap; done
}

stop_catalog_service() {
    kill "$service"
    wait "$service" || true
    service=
}

# changed_in N: what a change of one item costs in the catalog that is there, of N items.
changed_in() {
    local few
    "$bin/bench" catalog-changes --run "$place/run" --items "$1" --requests 1000
    command -v valgrind >/dev/null || return 0
    count_instructions_of_changes "$1" 50
    few=$counted
    count_instructions_of_changes "$1" 550
    say "  $(((counted - few) / 500)) instructions"
}

# count_instructions_of_changes N REQUESTS: sets $counted to all that the catalog service executes for so many changes.
count_instructions_of_changes() {
    stop_catalog_service
    launcher=(valgrind --tool=callgrind --callgrind-out-file="$place/counted")
    start_catalog_service
    launcher=()
    "$bin/bench" catalog-changes --run "$place/run" --items "$1" --requests "$2" >/dev/null
    stop_catalog_service
    counted=$(awk '/^(summary|totals):/ { print $2; exit }' "$place/counted")
    start_catalog_service
}

# import_catalog N: into a service of its own.
import_catalog() {
    rm -rf -- "$place/data"
    say "Writing $1 items ..."
    "$bin/bench" catalog-file --items "$1" --output "$place/large.ndjson"
    start_catalog_service
    say "Importing ..."
    "$bin/triptych" import --run "$place/run" "$place/large.ndjson" &
    "$bin/bench" catalog-import --run "$place/run" --items "$1"
    wait $!
}

measure_catalog() {
    local begin
    import_catalog 1000
    settle
    changed_in 1000
    stop_catalog_service
    import_catalog "$items"
    stop_catalog_service
    begin=$(milliseconds_now)
    start_catalog_service
    say "from the start to a good rpc.health: $(($(milliseconds_now) - begin)) ms"
    say "the file: $(stat -c %s -- "$place/data/catalog.sqlite") bytes"
    "$bin/bench" catalog-first --run "$place/run" --items "$items"
    say "Waiting until the service has nothing left to do ..."
    settle
    "$bin/bench" catalog-reads --run "$place/run" --items "$items"
    start_service selection selection-service
    start_service gateway gateway
    "$bin/bench" catalog-views --run "$place/run" --items "$items" --requests 10000
    changed_in "$items"
    say "load average: $(cut -d " " -f 1-3 /proc/loadavg)"
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

# instructions_of MODE REQUESTS: all that a service executes that is asked for so many requests: a gateway, but for an event.
instructions_of() {
    local options=() asked=() counted=gateway gateway="" process
    case $1 in
        composed) options=(--no-view-cache) ;;
        sent) asked=(--sends) ;;
        sentComposed) options=(--no-view-cache) asked=(--sends) ;;
        event) counted=selection asked=(--events) ;;
    esac
    rm -rf "$place/counted"
    mkdir "$place/counted"
    start_counted "$counted" ${options[@]+"${options[@]}"}
    if [ "$counted" = selection ]; then
        # Its sessions are its own, and made through a gateway of its own.
        "$bin/gateway" --socket "$place/counted/gateway.sock" --catalog-socket "$place/run/catalog.sock" \
            --selection-socket "$place/counted/selection.sock" 2>"$place/counted/log" &
        gateway=$!
        until (cd "$place/counted" && is_healthy gateway); do nap; done
        "$bin/bench" prepare --run "$place/counted" --sessions 64 >/dev/null
    fi
    "$bin/bench" ask --run "$place/counted" --requests "$2" ${asked[@]+"${asked[@]}"}
    for process in $gateway "$counting"; do
        kill "$process"
        wait "$process" || true
    done
    awk '/^(summary|totals):/ { print $2; exit }' "$place/counted/instructions"
}

# start_counted SERVICE OPTION...: a gateway or a selection service of which all is counted; sets `counting` to its process.
start_counted() {
    local program=gateway options=(--selection-socket "$place/run/selection.sock")
    [ "$1" = gateway ] || program=selection-service options=(--data "$place/counted/data")
    # One kind of machine code everywhere; and a copy counts by its words, not by its bytes.
    SIMDJSON_FORCE_IMPLEMENTATION=westmere GLIBC_TUNABLES=glibc.cpu.x86_rep_movsb_threshold=100000000 \
        valgrind --tool=callgrind --callgrind-out-file="$place/counted/instructions" "$bin/$program" \
        --socket "$place/counted/$1.sock" --catalog-socket "$place/run/catalog.sock" "${options[@]}" "${@:2}" \
        2>"$place/counted/counting.log" &
    counting=$!
    until [ -S "$place/counted/$1.sock" ]; do nap; done
}

# Counts for few and for many requests, so that the start and the end do not count.
count_instructions() {
    local mode few many each before status=0 report=()
    for mode in kept composed sent sentComposed event; do
        few=$(instructions_of "$mode" 200)
        many=$(instructions_of "$mode" 1200)
        each=$(((many - few) / 1000))
        before=$(sed -n "s/.*\"$mode\": *\([0-9]*\).*/\1/p" "$root/Benchmarks/instructions.json")
        say "$mode: $each instructions (${before:-nothing} accepted)"
        if [ -n "$before" ] && [ "$each" -gt $((before + before / 10)) ]; then status=1; fi
        report+=("\"$mode\": $each")
    done
    if [ -n "$accept" ]; then
        printf '{%s, %s, %s, %s, %s}\n' "${report[@]}" >"$root/Benchmarks/instructions.json"
        return
    fi
    [ $status = 0 ] || fail "more than a tenth above what was accepted; if that has a reason: --instructions --accept"
}

# polite WHO: what a client with one request in flight waits, in microseconds.
polite() {
    local figures
    figures=$("$bin/bench" polite --run "$place/run" --sessions 100 --requests 1000)
    read -r -a waited <<<"$figures"
    alone=${alone:-${waited[1]}}
    say "$1: p50 ${waited[0]} us, p99 ${waited[1]} us ($(awk "BEGIN { printf \"%.1f\", ${waited[1]} / $alone }") x), longest ${waited[2]} us"
}

# Others ask as much as they can, each with 16 requests in flight.
measure_crowd() {
    local alone='' waited others state
    "$bin/bench" prepare --run "$place/run" --sessions 100 >/dev/null
    say "A client with one request in flight, 1,000 views:"
    polite "alone"
    for others in 1 700; do
        exec {state}< <("$bin/bench" crowd --run "$place/run" --sessions 100 --connections "$others")
        crowd=$!
        read -r -u "$state" _
        polite "beside $others"
        kill "$crowd"
        exec {state}<&-
        crowd=
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
if $measures_live; then
    "$bin/bench" live --run "$place/run" --rounds "$rounds"
    exit
fi
if $measures_crowd; then
    measure_crowd
    exit
fi
if $measures_events; then
    "$bin/bench" prepare --run "$place/run" --sessions "$sessions" >/dev/null
    "$bin/bench" events --run "$place/run" --sessions "$sessions" --rounds "$rounds" --milliseconds "$milliseconds"
    exit
fi
if [ -n "$counts" ]; then
    command -v valgrind >/dev/null || fail "there is no valgrind: apt-get install valgrind, then try again" 69
    "$bin/bench" prepare --run "$place/run" --sessions 4 >/dev/null
    count_instructions
    exit 0
fi
say "Making $sessions sessions ..."
bytes=$("$bin/bench" prepare --run "$place/run" --sessions "$sessions")
say "A view has $bytes bytes."
"$bin/gateway" --no-view-cache --socket "$place/run/composing.sock" --catalog-socket "$place/run/catalog.sock" \
    --selection-socket "$place/run/selection.sock" 2>/dev/null &
composing=$!
"$bin/bench" floor --floor "$place/run/floor.sock" --bytes "$bytes" &
floor=$!
until [ -S "$place/run/floor.sock" ] && [ -S "$place/run/composing.sock" ]; do read -rt 0.02 <> <(:) || true; done
parties=(--run "$place/run" --floor "$place/run/floor.sock" --composing "$place/run/composing.sock"
    --sessions "$sessions" --rounds "$rounds" --milliseconds "$milliseconds")
if $measures_curves; then
    output=${output:-$root/.build/scaling.svg}
    say "Measuring about $((72 * (rounds + 1) * milliseconds / 1000)) s ..."
    "$bin/bench" curves "${parties[@]}" --output "$output"
    say "The picture is $output."
    exit
fi
output=${output:-$root/.build/bench.json}
say "Measuring about $((27 * (rounds + 1) * milliseconds / 1000)) s ..."
"$bin/bench" measure "${parties[@]}" --floor-process "$floor" --composing-process "$composing" --output "$output"
say "The figures are in $output."
