#!/usr/bin/env bash
# Builds and runs the tests: scripts/test.sh [--sanitize=address|thread] [further arguments of Tests/Runner/run.py]
#
# ONLY="Alerting Store" runs these subjects only: targets, suites or tests.
set -euo pipefail
cd "$(dirname "$0")/.."

# Recordings are not part of the project; the tests that need one say so when the folder is not there.
export BITPAL_RECORDINGS="${BITPAL_RECORDINGS:-../shared/recordings}"

build=()
run=()
scratch=.build
for argument in "$@"; do
    case "$argument" in
    --sanitize=*)
        build+=("$argument")
        scratch=".build-${argument#--sanitize=}"
        ;;
    *) run+=("$argument") ;;
    esac
done
for subject in ${ONLY:-}; do run+=(--only "$subject"); done

# The page's chart library is not part of the project; the tests of the page do without it where it cannot be had.
scripts/web-vendor.sh >/dev/null 2>&1 ||
    printf 'The chart library cannot be had (make web-vendor says why); the page is tested without charts.\n'

# One product: a build of everything would also compile the protobuf compiler of a dependency from C++.
# The executables that the integration tests start are among what they depend on.
begin=$SECONDS
scripts/build.sh --scratch-path "$scratch" "${build[@]}" --product bitpalPackageTests
printf 'Built in %s s\n' "$((SECONDS - begin))"

exec Tests/Runner/run.py "$scratch/debug/bitpalPackageTests.xctest" "${run[@]}"
