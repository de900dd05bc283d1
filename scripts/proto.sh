#!/usr/bin/env bash
# Generates Sources/Wire/Wire/Generated from proto/: scripts/proto.sh [--check]
# With --check nothing is written, and a difference is an error.
set -euo pipefail
cd "$(dirname "$0")/.."

readonly generated=Sources/Wire/Wire/Generated

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

command -v protoc >/dev/null || fail "protoc is missing; run: scripts/install-dependencies.sh test"

# The plugin is the one of the library that the generated code is compiled against.
scripts/build.sh --product protoc-gen-swift --quiet
plugin="$(swift build --show-bin-path)/protoc-gen-swift"
output="$(mktemp --directory)"
trap 'rm -rf "$output"' EXIT

protoc \
    --plugin=protoc-gen-swift="$plugin" \
    --proto_path=proto \
    --swift_out="$output" \
    --swift_opt=Visibility=Public \
    --swift_opt=UseAccessLevelOnImports=true \
    --swift_opt=FileNaming=DropPath \
    proto/bitpal/v1/*.proto

if [[ "${1:-}" == --check ]]; then
    diff --recursive --unified=0 "$generated" "$output" >&2 \
        || fail "$generated is not what proto/ gives; run: make proto"
else
    mkdir -p "$generated"
    rm -f "$generated"/*.pb.swift
    cp "$output"/*.pb.swift "$generated"/
fi
