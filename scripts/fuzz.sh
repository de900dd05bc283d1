#!/usr/bin/env bash
# Feeds arbitrary bytes to every decoder of foreign bytes: scripts/fuzz.sh [SECONDS] [TARGET…]
#
# A target starts from its FailCases, which the ordinary tests replay, and from what earlier runs found. An input
# that stops the process is kept among the FailCases, and the script fails. KEEP=1 also adds the inputs that
# reach code which the others do not.
#
# fuzz-venues starts from the recordings as well (RECORDINGS=folder, usually ../shared/recordings), where they are
# and KEEP is not set: they are no part of the project, and what is found of them stays in .build-fuzz, also what
# stops the process.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly seconds="${1:-300}"
readonly scratch=.build-fuzz
if [[ $# -gt 1 ]]; then
    targets=("${@:2}")
else
    targets=(fuzz-wire fuzz-venues fuzz-files fuzz-gateway)
fi

# The targets have no main: they are part of the package only when this is set.
export ENABLE_FUZZING=1
# With Swift's own backtracer on, the fuzzer hangs at its first crash.
export SWIFT_BACKTRACE=enable=no

cases_of() {
    case "$1" in
        fuzz-wire) echo Tests/WireTests/FailCases ;;
        fuzz-venues) echo Tests/VenuesTests/FailCases ;;
        fuzz-files) echo Tests/FuzzFileTests/FailCases ;;
        fuzz-gateway) echo Tests/GatewayAPITests/FailCases ;;
        *)
            echo "error: unknown target $1" >&2
            return 1
            ;;
    esac
}

readonly recordings="${RECORDINGS:-${BITPAL_RECORDINGS:-../shared/recordings}}"

failed=()
for target in "${targets[@]}"; do
    cases="$(cases_of "$target")"
    found="$scratch/corpus/$target"
    corpus=("$found" "$cases")
    stopped="$cases/"
    if [[ "$target" == fuzz-venues && "${KEEP:-}" != 1 && -d "$recordings" ]]; then
        found+=-recorded
        stopped="$scratch/stopped/"
        mkdir -p "$stopped"
        scripts/fuzz-recordings.py "$recordings" "$scratch/recorded"
        corpus=("$found" "$cases" "$scratch/recorded")
    fi
    mkdir -p "$found"
    # What reads at the gateway is internal there, and is named from outside as tests name it.
    swift build -c release --scratch-path "$scratch" --disable-index-store --sanitize fuzzer -Xswiftc -enable-testing --product "$target"
    printf '\n%s, %s seconds\n' "$target" "$seconds"
    "$scratch/release/$target" "${corpus[@]}" \
        -max_total_time="$seconds" -timeout=10 -rss_limit_mb=2048 -print_final_stats=1 -verbosity=0 \
        -artifact_prefix="$stopped" || failed+=("$target")
    if [[ "${KEEP:-}" == 1 ]]; then
        "$scratch/release/$target" -merge=1 -verbosity=0 "$cases" "$found"
    fi
done
if [[ ${#failed[@]} -gt 0 ]]; then
    echo "error: ${failed[*]} stopped on an input; it is kept among the FailCases, or in $scratch/stopped" >&2
    exit 1
fi
