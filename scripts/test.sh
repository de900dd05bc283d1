#!/usr/bin/env bash
# Builds and runs the tests: scripts/test.sh [further arguments of swift test]
set -euo pipefail
cd "$(dirname "$0")/.."

# Recordings are not part of the project; the tests that need one say so when the folder is not there.
export BITPAL_RECORDINGS="${BITPAL_RECORDINGS:-../shared/recordings}"

# Arguments that say how to compile go to every step; the others choose what to run.
compile=(--explicit-target-dependency-import-check error)
for argument in "$@"; do
    case "$argument" in
    --sanitize=* | --scratch-path=*) compile+=("$argument") ;;
    esac
done

# One product: a build of everything would also compile the protobuf compiler of a dependency from C++.
# The executables that the integration tests start are among what they depend on.
swift build "${compile[@]}" --product bitpalPackageTests

# The page's chart library is not part of the project; the tests of the page do without it where it cannot be had.
scripts/web-vendor.sh >/dev/null 2>&1 ||
    printf 'The chart library cannot be had (make web-vendor says why); the page is tested without charts.\n'

# A target may import only what Package.swift says it depends on: that is how the layers are kept.
# All tests are Swift Testing's, so its summary is the only one.
# One test at a time: the suites start clusters, brokers and whole platforms, and two cores are few.
log="$(mktemp)"
trap 'rm -f "$log"' EXIT
status=0
swift test --skip-build --no-parallel --disable-xctest "${compile[@]}" "$@" 2>&1 | tee "$log" || status=$?
# Of thousands of lines the last are read first: what failed is said again there, then the summary.
if [ "$status" -ne 0 ]; then
    printf '\nWhat failed:\n'
    grep --after-context=4 'recorded an issue' "$log" | grep --invert-match --extended-regexp ' (passed|started)' || true
    grep 'Test run with [0-9]' "$log" || printf 'The tests ended before their summary, with status %s.\n' "$status"
fi
exit "$status"
