#!/usr/bin/env bash
# Runs tests under a sanitizer: scripts/sanitize.sh planted | address | thread | corpus [gateway]
#
# planted  a race and an overflow that are there on purpose are found, and a lock is no race
# address  the suites that start no process, under the address sanitizer
# thread   the same under the thread sanitizer
# corpus   the parsers of foreign bytes, under the address sanitizer, over every input that fuzzing found worth keeping:
#          of the wire, of venues, of configurations and ledgers; `corpus gateway` those of the gateway's requests,
#          which take longer to compile than all the rest
#
# Nothing is suppressed. What the thread sanitizer cannot see of Swift's Mutex is told it by Tests/Sanitizers/mutex.c.
set -euo pipefail
cd "$(dirname "$0")/.."

# Swift's own backtracer would take the sanitizer's signal. What an ended process still holds is no fault of a test.
export SWIFT_BACKTRACE=enable=no
export ASAN_OPTIONS=detect_leaks=0:abort_on_error=0
export TSAN_OPTIONS=halt_on_error=0:exitcode=66

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

# Builds the library that is loaded before the tests; prints its path.
lock_library() {
    mkdir -p .build-thread
    # Swift's own compiler of C: others do not know how Swift calls.
    "$(dirname "$(readlink -f "$(command -v swiftc)")")/clang" -O1 -Wall -Werror -shared -fPIC \
        -o .build-thread/mutex.so Tests/Sanitizers/mutex.c
    printf '%s/.build-thread/mutex.so\n' "$PWD"
}

# Compiles a planted program and prints what the sanitizer says of it.
planted() {
    local name="$1" sanitizer="$2" program="$folder/$1"
    swiftc -Onone -swift-version 6 -sanitize="$sanitizer" "Tests/Sanitizers/$name.swift" -o "$program" 2>/dev/null
    LD_PRELOAD="${3:-}" "$program" 2>&1 || true
}

find_planted() {
    folder="$(mktemp -d)"
    trap 'rm -rf "$folder"' EXIT
    local lock
    lock="$(lock_library)"
    planted overflow address | grep -q 'AddressSanitizer: heap-buffer-overflow' || fail 'a planted overflow is not found'
    planted race thread "$lock" | grep -q 'WARNING: ThreadSanitizer' || fail 'a planted race is not found'
    [[ "$(planted mutex thread "$lock")" == 'counted 200000' ]] || fail 'a lock is taken for a race'
    printf 'A planted overflow and a planted race are found, a lock is not taken for a race.\n'
}

# The targets that have no process of their own to start, and what only they need, are enough.
run_suites() {
    local sanitizer="$1" targets
    targets="$(find Tests -maxdepth 1 -name '*Tests' -printf '%f\n' |
        grep -vE '^(Integration|Page|Tidy|OperatorCommands)Tests$' | paste -sd, -)"
    export TEST_TARGETS="$targets"
    scripts/test.sh --sanitize="$sanitizer" --pure
}

# Replays the kept inputs of fuzz targets, each given as TARGET:TESTS, whose FailCases they are.
replay_corpus() {
    local scratch=.build-corpus target cases
    export ENABLE_FUZZING=1
    for target in "$@"; do
        cases="Tests/${target#*:}Tests/FailCases"
        target="${target%%:*}"
        swift build --scratch-path "$scratch" --disable-index-store --sanitize fuzzer --sanitize address \
            --product "$target"
        printf '%s: %s inputs under the address sanitizer\n' "$target" "$(find "$cases" -type f | wc -l)"
        "$scratch/debug/$target" -runs=0 -timeout=30 -rss_limit_mb=4096 "$cases" 2>&1 | tail -3
    done
}

case "${1:-}" in
    planted) find_planted ;;
    address) run_suites address ;;
    thread)
        TEST_PRELOAD="$(lock_library)"
        export TEST_PRELOAD
        run_suites thread
        ;;
    corpus)
        if [[ "${2:-}" == gateway ]]; then
            replay_corpus fuzz-gateway:GatewayAPI
        else
            replay_corpus fuzz-wire:Wire fuzz-venues:Venues fuzz-files:FuzzFile
        fi
        ;;
    *)
        echo 'usage: scripts/sanitize.sh planted|address|thread|corpus [gateway]' >&2
        exit 2
        ;;
esac
