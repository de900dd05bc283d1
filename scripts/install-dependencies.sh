#!/usr/bin/env bash
# Installs the Debian packages that Bitpal needs and that are missing, by name.
#
#   scripts/install-dependencies.sh [demo|test|bench|ci|peers]
#   scripts/install-dependencies.sh list [demo|test|bench|ci|peers]      prints their names, and installs nothing
#
# demo   what building and `bitpal up` need (the default)
# test   and what the tests use
# bench  what is needed for demo, and what `make bench` measures with and beside
# ci     and what the checks of .ci/run use
# peers  what Benchmarks/peers builds and runs with
#
# Asks nothing and runs no apt-get when nothing is missing. Asks for sudo only when it is not root and
# something is missing. Swift itself is not a Debian package: it must be there, 6.3 or newer.
set -euo pipefail

readonly wanted_swift=6.3

# Headers and libraries that Sources/C*/module.modulemap link, and the server that `bitpal up` starts.
readonly libraries=(libzmq3-dev libpq-dev libcurl4-openssl-dev libsodium-dev zlib1g-dev postgresql)
# What the Swift toolchain itself loads and calls: the C and C++ headers and start files, the
# libraries of its compiler and package manager, git for the dependencies, roots for https.
readonly toolchain=(g++ git ca-certificates libncurses6 libsqlite3-0 libxml2 tzdata)
# protoc compares the generated code; the Python packages run the subscriber that the README shows, receive
# letters, make the environment below, and turn Autobahn's test suite into Python 3 (lib2to3). nginx stands before the
# gateway as its page of proxies says. iproute2 makes machines that vanish, as namespaces of the network.
readonly testing=(protobuf-compiler python3 python3-protobuf python3-zmq python3-aiosmtpd python3-websockets
    python3-venv python3-lib2to3 openssl nginx iproute2)
# What the tests of the web page drive, with letters for all of its languages.
readonly browser=(chromium chromium-headless-shell chromium-driver python3-selenium fonts-noto-cjk)
# What `make bench` asks the gateway with, and the server of files beside it.
readonly measuring=(wrk nginx)
# Other implementations check what we sign, encrypt, push and write: the reference of Standard Webhooks, JSON Web
# Tokens, the encryption of Web Push, a server of HTTP/2, numbers and times of CLDR; and sign in to us: a passkey
# made by fido2, the codes of pyotp; and ask for everything that our OpenAPI document promises: schemathesis. Debian
# does not have all of them in these versions.
readonly python_testing=(
    standardwebhooks==1.1.0 PyJWT==2.15.1 cryptography==50.0.2 http-ece==1.2.1 h2==4.4.1 babel==2.18.0
    fido2==2.2.1 pyotp==2.12.0 schemathesis==4.32.5
)
python_folder="$(cd "$(dirname "$0")/.." && pwd)/.build/python"
readonly python_folder
readonly checking=(docker-compose)
readonly peers=(g++ python3-dev python3-venv)
# Says which services may be started while packages are installed.
readonly service_policy=/usr/sbin/policy-rc.d

fail() {
    printf 'error: %s\n' "$1" >&2
    exit 1
}

packages() {
    case "$1" in
        demo) printf '%s\n' "${toolchain[@]}" "${libraries[@]}" ;;
        test) printf '%s\n' "${toolchain[@]}" "${libraries[@]}" "${testing[@]}" "${browser[@]}" ;;
        bench) printf '%s\n' "${toolchain[@]}" "${libraries[@]}" "${browser[@]}" "${measuring[@]}" ;;
        ci) printf '%s\n' "${toolchain[@]}" "${libraries[@]}" "${testing[@]}" "${browser[@]}" "${checking[@]}" ;;
        peers) printf '%s\n' "${peers[@]}" ;;
        *) fail "unknown set of packages '$1'; use demo, test, bench, ci or peers" ;;
    esac
}

is_installed() {
    [[ "$(dpkg-query --show --showformat='${Status}' "$1" 2>/dev/null)" == "install ok installed" ]]
}

# Prints the packages of its arguments that are not installed.
missing() {
    local package
    for package in "$@"; do
        is_installed "$package" || printf '%s\n' "$package"
    done
}

as_root() {
    if [[ $EUID -eq 0 ]]; then
        "$@"
    elif [[ -t 0 ]]; then
        sudo "$@"
    else
        sudo --non-interactive "$@"
    fi
}

# Runs apt-get as root, without questions.
apt() {
    as_root env DEBIAN_FRONTEND=noninteractive apt-get --yes --quiet --no-install-recommends "$@"
}

# Installs what is missing; nginx by itself, as a program and not as a service.
#
# Debian's package starts it on port 80, at once and with the machine. While it is installed a policy
# (invoke-rc.d(8)) keeps it from that, and afterwards it is switched off. Who has it already keeps it as it is.
install_missing() {
    local package others=() has_nginx=
    for package in "$@"; do
        if [[ "$package" == nginx ]]; then has_nginx=1; else others+=("$package"); fi
    done
    if [[ ${#others[@]} -gt 0 ]]; then install "${others[@]}"; fi
    [[ -n "$has_nginx" ]] || return 0
    # A container has a policy of its own.
    if [[ ! -e "$service_policy" ]]; then
        trap 'as_root rm -f "$service_policy"' EXIT
        # shellcheck disable=SC2016  # $1 is the policy's own.
        printf '#!/bin/sh\n[ "$1" != nginx ] || exit 101\n' | as_root tee "$service_policy" >/dev/null
        as_root chmod 755 "$service_policy"
    fi
    install nginx
    as_root update-rc.d nginx disable
}

install() {
    local by_hand="apt-get install $*"
    if ! command -v apt-get >/dev/null; then
        fail "no apt-get here; these packages, or what your system calls them, are needed: $*; then: make INSTALL=:"
    fi
    if [[ $EUID -ne 0 ]] && ! command -v sudo >/dev/null; then
        fail "packages are missing and there is no sudo; run as root: $by_hand"
    fi
    printf 'Installing %s\n' "$*"
    # A fresh system has no package lists, an old one has stale ones: then the first try fails.
    if ! apt-cache show "$@" >/dev/null 2>&1; then
        refresh
    fi
    apt install "$@" || { refresh && apt install "$@"; } || fail "apt-get could not install; try as root: $by_hand"
}

refresh() {
    apt update || fail "apt-get update failed: is there a network?"
}

# Makes the virtual environment of the tests, once. Without a way to PyPI the tests that need it say so and are
# skipped.
prepare_python() {
    [[ "$(cat "$python_folder/ready" 2>/dev/null)" != "${python_testing[*]}" ]] || return 0
    if python3 -m venv "$python_folder" &&
        "$python_folder/bin/pip" --quiet --disable-pip-version-check install "${python_testing[@]}"; then
        printf '%s\n' "${python_testing[*]}" >"$python_folder/ready"
    else
        printf 'WARNING: %s cannot be installed from PyPI; its tests are skipped\n' "${python_testing[*]}" >&2
    fi
}

# The version that `swift --version` says, as major.minor; empty when it cannot run.
swift_version() {
    swift --version 2>/dev/null | sed -n 's/.*Swift version \([0-9]*\.[0-9]*\).*/\1/p' | head -n 1
}

require_swift() {
    local version
    version="$(swift_version || true)"
    [[ -n "$version" ]] || fail "$(command -v swift) does not run: $( (swift --version 2>&1 || true) | head -n 1)"
    if [[ "$(printf '%s\n' "$wanted_swift" "$version" | sort --version-sort | head -n 1)" != "$wanted_swift" ]]; then
        fail "Swift $version is too old, $wanted_swift or newer is needed: https://www.swift.org/install/linux/"
    fi
}

main() {
    if [[ "${1:-}" == list ]]; then
        packages "${2:-demo}"
        return
    fi
    local purpose="${1:-demo}" wanted names absent
    wanted="$(packages "$purpose")"
    mapfile -t names <<<"$wanted"
    if [[ "$purpose" != peers ]] && ! command -v swift >/dev/null; then
        fail "no swift on PATH; install Swift $wanted_swift or newer from https://www.swift.org/install/linux/"
    fi
    mapfile -t absent < <(missing "${names[@]}")
    if [[ ${#absent[@]} -gt 0 ]]; then
        install_missing "${absent[@]}"
    fi
    if [[ "$purpose" == test || "$purpose" == ci ]]; then
        prepare_python
    fi
    # After the packages: on a bare system the toolchain does not start without its libraries.
    if [[ "$purpose" != peers ]]; then
        require_swift
    fi
}

main "$@"
