#!/usr/bin/env bash
# Prints which commit the sources are of, as `--version` says it: "be77a80, 2026-11-26", its day in UTC.
#
# "be77a80 with changes, …" when what programs are made of is not as it was committed. Nothing without git, or where the
# sources lie in somebody else's repository.
set -euo pipefail
cd "$(dirname "$0")/.."

[[ "$(git rev-parse --show-toplevel 2>/dev/null || true)" == "$(pwd -P)" ]] || exit 0
hash="$(git rev-parse --short=7 HEAD 2>/dev/null)" || exit 0
changes=
[[ -z "$(git status --porcelain -- Package.swift Sources web)" ]] || changes=' with changes'
day="$(TZ=UTC0 git log -1 --format=%cd --date=format-local:%Y-%m-%d)"
printf '%s%s, %s\n' "$hash" "$changes" "$day"
