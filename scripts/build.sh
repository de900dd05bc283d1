#!/usr/bin/env bash
# Builds for development: scripts/build.sh [arguments of swift build]
#
# Everybody who builds in .build builds so: other flags would compile everything again. No index is written, which
# takes a fifth of the time (an editor keeps its own). A target may import only what Package.swift says it depends
# on: that is how the layers are kept.
set -euo pipefail
cd "$(dirname "$0")/.."

exec swift build --disable-index-store --explicit-target-dependency-import-check error "$@"
