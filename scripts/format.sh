#!/usr/bin/env bash
# Checks or applies the code format of .swift-format: scripts/format.sh lint|format
# Generated code is left out: what makes it decides its form.
set -euo pipefail
cd "$(dirname "$0")/.."

case "${1:-}" in
    lint) command=(swift format lint --strict --parallel) ;;
    format) command=(swift format format --in-place --parallel) ;;
    *)
        echo "usage: scripts/format.sh lint|format" >&2
        exit 2
        ;;
esac

find Package.swift Sources Tests Benchmarks -name '*.swift' -not -path '*/Generated/*' -print0 \
    | xargs -0 "${command[@]}"
