#!/usr/bin/env bash
# usage: deploy/build-release.sh [DIR]
#
# Builds programs to be copied to machines without Swift: they bring its libraries with them, and need only packages of
# Debian. Puts them into DIR (default: .build/programs), and says which packages those are.
#
#   --help   prints this
#
# The scripts here run such programs with TRIPTYCH_BIN=DIR.
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

programs=(catalog-service selection-service gateway triptych triptych-browse triptych-web)
directory=$root/.build/programs

# Libraries that a program names, one a line.
needs() { readelf -d "$1" | sed -n 's/.*(NEEDED).*\[\(.*\)\]/\1/p'; }

# The package that a library file belongs to.
package_of() {
    local path owner
    path=$(ldconfig -p | awk -v name="$1" '$1 == name { print $NF; exit }')
    [ -n "$path" ] || fail "$1 is not on this machine, and no package of Debian brings it"
    owner=$(dpkg -S "$(realpath -- "$path")" 2>/dev/null || dpkg -S "$path" 2>/dev/null) \
        || fail "$1 belongs to no package of Debian"
    say "${owner%%:*}"
}

# The packages of all libraries that a program names; fails if one is only on machines with Swift.
packages_of() {
    local library
    while read -r library; do
        package_of "$library"
    done < <(needs "$1")
}

case ${1:-} in
    --help | -h) show_help && exit 0 ;;
    -*) fail "there is no option $1; see --help" 64 ;;
    '') ;;
    *) directory=$1 ;;
esac
need_swift
need_packages build run
say "Building (some minutes the first time) ..."
for program in "${programs[@]}"; do
    build_release --product "$program" >&2
done
mkdir -p "$directory"
packages=$'libwebsockets-evlib-uv\n' # no program names it: triptych-web's library loads it when it starts
for program in "${programs[@]}"; do
    strip -o "$directory/$program" "$root/.build/release/$program"
    packages+=$(packages_of "$directory/$program")$'\n'
    "$directory/$program" --version >/dev/null || fail "$directory/$program does not run"
done
say "The programs are in $directory. They need these packages, and no Swift:"
printf %s "$packages" | sort -u | paste -sd' '
