#!/usr/bin/env bash
# Builds and runs the tests: scripts/test.sh [further arguments of swift test]
set -euo pipefail
cd "$(dirname "$0")/.."

# Recordings are not part of the project; the tests that need one say so when the folder is not there.
export BITPAL_RECORDINGS="${BITPAL_RECORDINGS:-../shared/recordings}"

# A target may import only what Package.swift says it depends on: that is how the layers are kept.
# All tests are Swift Testing's, so its summary is the only one.
exec swift test --disable-xctest --explicit-target-dependency-import-check error "$@"
