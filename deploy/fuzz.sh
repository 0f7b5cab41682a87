#!/usr/bin/env bash
# usage: deploy/fuzz.sh [TARGET [SECONDS]]
#        deploy/fuzz.sh --check
#
# Fuzzes what reads bytes of others, with libFuzzer and the address sanitizer: lines, messages, navigation, words;
# without a TARGET all of them, for 10 s each. It starts from Fuzz/corpus/TARGET, and keeps what it learns in
# .build-fuzz. An input that fails stays there, too, and its path is printed; `FUZZ_TARGET=lines .build-fuzz/fuzz PATH`
# runs it again.
#
#   --check  only looks whether it fits what `swift build` has built, within seconds
#   --help   prints this
set -euo pipefail
# shellcheck source-path=SCRIPTDIR source=lib.sh
. "$(dirname -- "$(realpath -- "${BASH_SOURCE[0]}")")/lib.sh"

cd -- "$root"
targets=(lines messages navigation words)
out=$root/.build-fuzz

language=(
    -swift-version 6 -parse-as-library -enable-upcoming-feature ExistentialAny
    -enable-upcoming-feature MemberImportVisibility -enable-upcoming-feature InternalImportsByDefault
)
for name in CUV CSQLite CUTF8Proc; do language+=(-Xcc "-fmodule-map-file=Sources/$name/module.modulemap"); done
flags=(
    "${language[@]}" -whole-module-optimization -O -g -suppress-warnings '-sanitize=fuzzer,address' -enable-testing
    -I "$out"
)
fuzzers=(Fuzz/*.swift Tests/SelectionServiceTests/Support/RandomEvents.swift)

# module NAME FILE...: compiles a module of the package by itself, with what the fuzzer needs to see its way.
module() {
    local name=$1
    shift
    swiftc "${flags[@]}" -module-name "$name" -emit-module -emit-module-path "$out/$name.swiftmodule" \
        -c "$@" -o "$out/$name.o"
}

sources() { find "Sources/$1" -name '*.swift' ! -name main.swift | sort; }

build() {
    local name files
    printf 'module CSimdJSON { header "%s" export * }\n' "$root/Sources/CSimdJSON/include/CSimdJSON.h" \
        >"$out/CSimdJSON.modulemap"
    flags+=(-Xcc "-fmodule-map-file=$out/CSimdJSON.modulemap")
    clang++ -std=c++17 -O2 -g -fsanitize=fuzzer-no-link,address -ISources/CSimdJSON/include \
        -c Sources/CSimdJSON/CSimdJSON.cpp -o "$out/CSimdJSON.o"
    for name in UV SQLite JSON Text Shared SelectionService; do
        mapfile -t files < <(sources "$name")
        module "$name" "${files[@]}"
    done
    module Fuzz "${fuzzers[@]}"
    # The linker of Debian warns about symbols of the sanitizer that nobody exports.
    swiftc '-sanitize=fuzzer,address' "$out"/{CSimdJSON,UV,SQLite,JSON,Text,Shared,SelectionService,Fuzz}.o \
        -luv -lsqlite3 -lsimdjson -lutf8proc -lstdc++ -lm -o "$out/fuzz" 2>"$out/link.log" \
        || { cat "$out/link.log" >&2 && fail "the fuzzer can't be linked"; }
}

check() {
    local built=.build/debug
    [ -d "$built/Modules" ] || fail "nothing is built: run swift build first"
    swiftc -typecheck "${language[@]}" -Xcc "-fmodule-map-file=$built/CSimdJSON.build/module.modulemap" \
        -I "$built/Modules" -module-name Fuzz "${fuzzers[@]}"
}

run() {
    mkdir -p "$out/corpus/$1"
    say "== fuzzing $1 for $2 s"
    FUZZ_TARGET=$1 "$out/fuzz" -max_total_time="$2" -max_len=4096 -timeout=10 -rss_limit_mb=2048 \
        -verbosity=0 -print_funcs=0 -print_final_stats=1 -artifact_prefix="$out/$1-" "$out/corpus/$1" "Fuzz/corpus/$1" \
        || fail "fuzzing $1: an input fails; see above" 1
}

case ${1:-} in
    --help | -h) show_help && exit 0 ;;
    '' | --check) ;;
    lines | messages | navigation | words) targets=("$1") ;;
    *) fail "there is no target $1; see --help" 64 ;;
esac
seconds=${2:-10}
[[ $seconds =~ ^[0-9]+$ ]] || fail "SECONDS is a number; see --help" 64
need_swift
need_packages build
if [ "${1:-}" = --check ]; then
    check
    exit
fi
mkdir -p "$out"
say "== building for the fuzzer"
build
for target in "${targets[@]}"; do run "$target" "$seconds"; done
say "Fuzzing found nothing."
