#!/usr/bin/env bash
# Builds for development: scripts/build.sh [arguments of swift build]
#
# Everybody who builds in .build builds so: other flags would compile everything again. A target may import only what
# Package.swift says it depends on: that is how the layers are kept.
set -euo pipefail
cd "$(dirname "$0")/.."

# Package.swift hands it to one C file that only programs link: a new commit links them anew and compiles no library.
BUILD_COMMIT="${BUILD_COMMIT-$(scripts/commit.sh)}"
export BUILD_COMMIT

flags=(--explicit-target-dependency-import-check error --disable-index-store)
if [[ " $* " != *" release "* ]]; then
    # SwiftPM looks for tests of XCTest in the index of Swift's sources. An index of the two copies of BoringSSL, on
    # which a build spends a third of its time, is of use to nobody.
    flags+=(-Xswiftc -index-store-path -Xswiftc "$(swift build --show-bin-path "$@")/index/store")
fi
exec swift build "${flags[@]}" "$@"
