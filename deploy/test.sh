#!/usr/bin/env bash
# usage: deploy/test.sh [--filter REGEX | --core | --browser] [--sanitize] [--fuzz]
#
# Checks everything: installs missing Debian packages, checks the scripts and the format, builds with warnings as
# errors, and runs all tests, and 2,000 worlds of the simulation.
#
#   --filter REGEX  only the tests whose names fit, such as SystemTests or GatewayTests.LayoutTests
#   --core          only builds, and runs the tests of the pure cores: seconds after a small change
#   --browser       only builds, and runs the tests of the page in a headless Chromium
#   --sanitize      afterwards runs the tests with the address and the thread sanitizer, too
#   --fuzz          afterwards fuzzes what reads bytes of others for some seconds each, as deploy/fuzz.sh does
#   --help          prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

filter=()
is_core_only=false
is_browser_only=false
skipped=()
sanitizers=()
is_fuzzed=false
# Process tests are about the binaries that users have; a sanitizer's would only be slower.
not_sanitized=(--skip SystemTests --skip BrowseTerminalTests --skip SimulationTests)

parse() {
    while [ $# -gt 0 ]; do
        case $1 in
            --filter=*) set -- --filter "${1#*=}" "${@:2}" && continue ;;
            --filter) need_value "$1" $# "${2:-}" && filter=(--filter "$2") && shift ;;
            --core) is_core_only=true ;;
            --browser) is_browser_only=true ;;
            --sanitize) sanitizers=(address thread) ;;
            --fuzz) is_fuzzed=true ;;
            --help | -h) show_help && exit 0 ;;
            *) fail "there is no option $1; see --help" 64 ;;
        esac
        shift
    done
}

# step TITLE COMMAND...: says what is done, and ends everything if it fails.
step() {
    local title=$1 begin=$SECONDS
    shift
    say "== $title"
    "$@" || fail "$title: failed after $((SECONDS - begin)) s"
    say "== $title: $((SECONDS - begin)) s"
}

check_scripts() { shellcheck --external-sources deploy/*.sh .ci/run; }

check_format() {
    local sources=(Package.swift Sources Tests)
    if [ -d Fuzz ]; then sources+=(Fuzz); fi
    if [ -d Benchmarks ]; then sources+=(Benchmarks); fi
    swift format lint --strict --parallel --recursive "${sources[@]}"
}

# The suites of the pure cores, which need no socket and no database, by the names of their files.
core_suites() {
    local file module suites=()
    for file in Tests/*/{Core,Layout,View,Windows}/*Tests.swift; do
        module=${file#Tests/}
        file=${file##*/}
        suites+=("${module%%/*}.${file%.swift}")
    done
    local IFS='|'
    say "^(${suites[*]})/"
}

run_tests() { swift test --disable-xctest --skip-build --skip SimulationTests "${filter[@]}"; }

# A seed means the same world again only if hashed sets have one order.
run_simulation() {
    SWIFT_DETERMINISTIC_HASHING=1 swift test --disable-xctest --skip-build --filter SimulationTests
}

# Without a browser its tests are skipped, and that is said: they count as neither passed nor failed.
run_in_browser() {
    if ! (need_packages browser) || [ ! -x /usr/bin/chromium ] || [ ! -x /usr/bin/chromedriver ]; then
        skipped+=("tests in a browser: Chromium can't be installed here")
        return
    fi
    # Debian's own Python has Debian's selenium.
    step "tests in a browser" env TRIPTYCH_BIN="$root/.build/debug" \
        /usr/bin/python3 -B -m unittest discover --start-directory Tests/browser
}

run_sanitized() {
    LSAN_OPTIONS=suppressions=$root/Tests/leaks.txt:print_suppressions=0 \
        swift test --disable-xctest --sanitize "$1" --scratch-path ".build-$1" "${not_sanitized[@]}" "${filter[@]}"
}

parse "$@"
need_swift
need_packages build run test
cd -- "$root"
if $is_core_only; then
    filter=(--filter "$(core_suites)")
else
    step "scripts" check_scripts
    step "format" check_format
fi
step "build, warnings are errors" swift build --build-tests
if ! $is_browser_only; then
    step "fuzzers" deploy/fuzz.sh --check
    step "tests" run_tests
    case ${filter[*]} in '' | *Simulation*) step "simulation" run_simulation ;; esac
fi
if [ ${#filter[@]} -eq 0 ]; then run_in_browser; fi
for sanitizer in "${sanitizers[@]}"; do step "tests with the $sanitizer sanitizer" run_sanitized "$sanitizer"; done
if $is_fuzzed; then step "fuzzing" deploy/fuzz.sh; fi
for each in "${skipped[@]}"; do say "SKIPPED $each"; done
say "All checks passed in $SECONDS s."
