#!/usr/bin/env bash
# usage: deploy/simulate.sh [--trace | --canaries] [SEEDS [FIRST_SEED]]
#
# Runs the three services, whole, in worlds where a seed decides what happens when: who runs, what is read, which
# commit fails, who is killed at which system call. 10,000 seeds from 1 on if nothing else is said.
#
#   --trace     tells all that happens in the world of the one seed that is given as FIRST_SEED
#   --canaries  plants one bug after the other in the services, and fails if one is not found within SEEDS
#   --help      prints this
#
# STEPS is how much happens in a world before it comes to rest (default: 150).
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

# Each is a condition in Sources, true in this build alone.
canaries=(
    ANSWERS_BEFORE_COMMIT FAILED_COMMIT_STAYS_IN_MEMORY WINDOWS_RESUME_AS_THEY_WERE GATEWAY_KEEPS_OLD_ANSWERS
    PEERS_ARE_NOT_READ_FIRST OTHERS_HEAR_AFTER_THE_ANSWER SUBSCRIPTIONS_ARE_MADE_IN_BATCHES
    LAGGING_WINDOWS_ARE_FORGOTTEN PLACES_ARE_NOT_FORGOTTEN
)
mode=run
tests=SimulationTests.WorldTests/whateverHappensNothingIsWrong

# Sets of hashed things have one order in all runs then, so that a seed means the same again.
export SWIFT_DETERMINISTIC_HASHING=1 TRIPTYCH_SIMULATION=1

build() {
    swift build --build-tests "$@" >"$root/.build-simulation.log" 2>&1 \
        || { cat "$root/.build-simulation.log" >&2 && fail "the simulation can't be built"; }
}

simulate() {
    SEEDS=$seeds SEED=$first swift test --disable-xctest --skip-build "$@" --filter "$tests"
}

find_canaries() {
    local canary missed=() out
    for canary in "${canaries[@]}"; do
        export TRIPTYCH_CANARY=$canary
        build --scratch-path .build-canary
        if out=$(simulate --scratch-path .build-canary 2>&1); then
            say "$canary: NOT FOUND in $seeds seeds"
            missed+=("$canary")
        else
            say "$canary: found, $(grep -om1 'seed [0-9]*, step.*' <<<"$out" | cut -c1-160)"
        fi
    done
    [ ${#missed[@]} = 0 ] || fail "${#missed[@]} planted bugs were not found: ${missed[*]}"
    say "All ${#canaries[@]} planted bugs were found."
}

while [ $# -gt 0 ]; do
    case $1 in
        --help | -h) show_help && exit 0 ;;
        --trace) mode=trace ;;
        --canaries) mode=canaries ;;
        -*) fail "there is no option $1; see --help" 64 ;;
        *) break ;;
    esac
    shift
done
seeds=${1:-10000}
first=${2:-1}
[[ $seeds$first =~ ^[0-9]+$ ]] || fail "SEEDS and FIRST_SEED are numbers; see --help" 64
need_swift
need_packages build test
cd -- "$root"
case $mode in
    canaries) find_canaries ;;
    trace)
        seeds=1
        build -c release -Xswiftc -enable-testing --scratch-path .build-simulation
        TRACE=1 simulate -c release --scratch-path .build-simulation
        ;;
    run)
        build -c release -Xswiftc -enable-testing --scratch-path .build-simulation
        simulate -c release --scratch-path .build-simulation
        ;;
esac
