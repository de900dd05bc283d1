#!/usr/bin/env bash
# Feeds arbitrary bytes to every decoder of foreign bytes: scripts/fuzz.sh [SECONDS] [TARGET…]
#
# Each target starts from Tests/FuzzCorpus/<target>, which the ordinary tests replay, and adds the inputs that
# reach new code. An input that stops the process is kept there as crash-<hash>, and the script fails.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly seconds="${1:-300}"
readonly scratch=.build-fuzz
if [[ $# -gt 1 ]]; then
    targets=("${@:2}")
else
    targets=(fuzz-wire fuzz-venues)
fi

# The targets have no main: they are part of the package only when this is set.
export ENABLE_FUZZING=1
# With Swift's own backtracer on, the fuzzer hangs at its first crash.
export SWIFT_BACKTRACE=enable=no

failed=()
for target in "${targets[@]}"; do
    corpus="Tests/FuzzCorpus/$target"
    found="$scratch/corpus/$target"
    mkdir -p "$corpus" "$found"
    swift build -c release --scratch-path "$scratch" --sanitize fuzzer --product "$target"
    "$scratch/release/$target" "$found" "$corpus" \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="$corpus/" || failed+=("$target")
    "$scratch/release/$target" -merge=1 "$corpus" "$found"
done
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "error: ${failed[*]} stopped on an input; it is kept in Tests/FuzzCorpus" >&2
    exit 1
fi
