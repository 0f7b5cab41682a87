#!/usr/bin/env bash
# usage: Benchmarks/candidate.sh start DIR | stop DIR | requests FILE [ROWS]
#
# Stands for the product where it is measured beside other programs that do the same work.
#
# start DIR      starts the three services in DIR, with durable writes, on a catalog of 20 categories of 50 items
#                (c0 to c19, i0 to i999); prints the path of the gateway's socket when they are ready
# stop DIR       stops them, and removes DIR
# requests FILE  prints the request lines of FILE with the methods of the product: `view.select` of a category,
#                an item or both becomes `view.send`; all else stays. With ROWS each asks for so many rows of a list: a
#                view with all 50 has half as many bytes again as those of the others, one with 21 has as many
#
# TRIPTYCH_BIN names the directory of the programs (default: .build/release); GATEWAY_OPTIONS are given to the
# gateway, such as --no-view-cache.
set -euo pipefail
root=$(dirname -- "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")")

fail() { printf '%s: %s\n' "${0##*/}" "$1" >&2 && exit 69; }

catalog() {
    awk 'BEGIN {
        print "{\"catalog\":{\"id\":\"bench\",\"title\":\"Catalog\"},\"categories\":["
        for (c = 0; c < 20; c++) printf "%s{\"id\":\"c%d\",\"title\":\"Category %d\"}\n", c ? "," : "", c, c
        print "],\"items\":["
        for (i = 0; i < 1000; i++) {
            printf "%s{\"id\":\"i%d\",\"title\":\"Item %d\",\"subtitle\":\"Of category %d\",", i ? "," : "", i, i, i / 50
            printf "\"categories\":[\"c%d\"],\"blocks\":[{\"kind\":\"text\",\"text\":\"All about item %d.\"}]}\n", i / 50, i
        }
        print "]}"
    }'
}

start() {
    local dir=$1 bin name
    bin=$(realpath -- "${TRIPTYCH_BIN:-$root/.build/release}")
    for name in catalog-service selection-service gateway triptych; do
        [ -x "$bin/$name" ] || fail "there is no $name in $bin: build a release, or name another TRIPTYCH_BIN"
    done
    mkdir -p "$dir"
    cd "$dir"
    catalog >catalog.json
    "$bin/catalog-service" --socket catalog.sock --data . >catalog.log 2>&1 &
    say_pid catalog $!
    "$bin/selection-service" --socket selection.sock --data . --catalog-socket catalog.sock >selection.log 2>&1 &
    say_pid selection $!
    # shellcheck disable=SC2086  # options are words
    "$bin/gateway" --socket gateway.sock --catalog-socket catalog.sock --selection-socket selection.sock \
        ${GATEWAY_OPTIONS:-} >gateway.log 2>&1 &
    say_pid gateway $!
    for name in catalog selection gateway; do
        until [ -S "$name.sock" ]; do
            kill -0 "$(<"$name.pid")" 2>/dev/null || {
                end
                fail "$(tail -n 1 "$name.log")"
            }
            read -rt 0.02 <> <(:) || true
        done
    done
    "$bin/triptych" import --run . catalog.json >/dev/null
    printf '%s\n' "$PWD/gateway.sock"
}

say_pid() { printf '%s\n' "$2" >"$1.pid"; }

# Ends what was started in the current directory.
end() {
    local name
    for name in gateway selection catalog; do
        if [ -e "$name.pid" ]; then kill "$(<"$name.pid")" 2>/dev/null || true; fi
    done
}

stop() {
    [ ! -d "$1" ] || (cd -- "$1" && end)
    rm -rf -- "$1"
}

requests() {
    sed -E -e '/"view\.select"/!b' -e 's/"view\.select"/"view.send"/' -e 'tbegin' -e ':begin' \
        -e 's/"category":("[^"]*"),"item":("[^"]*")/"event":{"type":"open","category":\1,"item":\2}/;t' \
        -e 's/"category":("[^"]*")/"event":{"type":"select","column":"sidebar","id":\1}/' \
        -e 's/"item":("[^"]*")/"event":{"type":"select","column":"content","id":\1}/' "$1" \
        | sed -E "${2:+s/\}\}\$/,\"limit\":$2&/}"
}

case ${1:-} in
    start | stop | requests) "$1" "${2:?see the top of $0}" "${@:3}" ;;
    *)
        awk 'NR > 1 { if (!sub(/^# ?/, "")) exit; print }' "$0"
        exit 64
        ;;
esac
