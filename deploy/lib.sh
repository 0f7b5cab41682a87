# What the scripts beside this file share. It is sourced, never run.
# shellcheck shell=bash disable=SC2034  # its variables are for them

deploy=$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")
root=$(dirname -- "$deploy")
services=(catalog selection gateway)

say() { printf '%s\n' "$*"; }

# fail SENTENCE [STATUS]
fail() {
    printf '%s: %s\n' "$(basename -- "$0")" "$1" >&2
    exit "${2:-1}"
}

# Prints the comment at the top of a script, which is its help.
show_help() { awk 'NR > 1 { if (!sub(/^# ?/, "")) exit; print }' "$0"; }

# The value of an option, or a failure: need_value OPTION COUNT VALUE
need_value() {
    if [ "$2" -lt 2 ] || [ -z "$3" ]; then fail "$1 needs a value; see --help" 64; fi
}

# packages_for PURPOSE...: the names in packages.txt.
packages_for() {
    local purpose name rest
    while read -r purpose name rest; do
        case " $* " in *" $purpose "*) say "$name" ;; esac
    done <"$deploy/packages.txt"
}

is_installed() {
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$1" 2>/dev/null)" = installed ]
}

# need_packages PURPOSE...: installs what is missing, or says how to and ends.
need_packages() {
    local name missing=() sudo=()
    if ! command -v dpkg-query >/dev/null; then
        say "This is no Debian: the packages of $deploy/packages.txt must be there under their names here."
        return
    fi
    while read -r name; do
        is_installed "$name" || missing+=("$name")
    done < <(packages_for "$@")
    [ ${#missing[@]} -gt 0 ] || return 0
    if [ "$(id -u)" -ne 0 ]; then
        sudo=(sudo -n)
        "${sudo[@]}" true 2>/dev/null || fail "some packages are missing; install them, then try again:
  sudo apt-get update && sudo apt-get install --no-install-recommends ${missing[*]}" 69
    fi
    say "Installing ${missing[*]} ..."
    "${sudo[@]}" apt-get -qq update
    "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive \
        apt-get -qq install --no-install-recommends "${missing[@]}" >/dev/null
}

need_swift() {
    command -v swift >/dev/null \
        || fail "there is no swift in the PATH: install Swift 6.3 (https://www.swift.org/install), then try again" 69
}

# build_release [OPTION...]: builds it with Swift's own libraries in the programs, which then start faster and take less time
# shellcheck disable=SC2119,SC2120  # not all have options
build_release() {
    swift build -c release --static-swift-stdlib --package-path "$root" "$@" || fail "the build failed: see above"
}

# Makes a release build unless there is one of the sources as they are, and sets `bin`.
#
# TRIPTYCH_BIN names a directory of programs that were built elsewhere.
need_release_build() {
    if [ -n "${TRIPTYCH_BIN:-}" ]; then
        [ -x "$TRIPTYCH_BIN/gateway" ] || fail "there is no gateway in TRIPTYCH_BIN ($TRIPTYCH_BIN)" 69
        need_packages run
        bin=$(realpath -- "$TRIPTYCH_BIN")
        return
    fi
    need_swift
    need_packages build run
    bin=$root/.build/release
    local stamp=$root/.build/release-built sources=("$root"/{Package.swift,Sources,Benchmarks,deploy/lib.sh})
    if [ ! -e "$stamp" ] || [ -n "$(find "${sources[@]}" -newer "$stamp" -print -quit)" ]; then
        say "Building a release (some minutes the first time) ..."
        mkdir -p "$root/.build"
        touch "$stamp.begun" # what is edited during the build counts as newer
        build_release 9>&-
        mv "$stamp.begun" "$stamp"
    fi
}

# ask SERVICE REQUEST: what a service in the current directory answers within 5 s; fails if it can't be reached.
ask() { printf '%s\n' "$2" | socat -t 5 - "UNIX-CONNECT:$1.sock" 2>/dev/null; }

is_healthy() {
    [[ "$(ask "$1" '{"jsonrpc":"2.0","id":1,"method":"rpc.health"}')" == *'"status":"ok"'* ]]
}
