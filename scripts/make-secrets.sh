#!/usr/bin/env bash
# Makes the secrets that docker-compose.yml hands to its containers as files, once: scripts/make-secrets.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# A line of its file is a number and a key; to change it, put another below with the next number, and keep the old.
make_sealing_keys() {
    printf '1 %s\n' "$(head --bytes=32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" >secrets/sealing_keys
    chmod 644 secrets/sealing_keys
}

# What `bitpal` on this machine shows to the gateway: the key of the local user, and 32 bytes.
make_operator_token() {
    printf 'cm_00000000000070008000000000000001_%s\n' \
        "$(head --bytes=32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" >secrets/operator_token
    chmod 644 secrets/operator_token
}

if [[ -e secrets/database_password ]]; then
    missing=()
    for name in sealing_keys operator_token; do
        [[ -e secrets/$name ]] || missing+=("$name")
    done
    if [[ ${#missing[@]} == 0 ]]; then
        echo 'secrets/ is there already; remove it, and the volume of the database, to begin again' >&2
        exit 1
    fi
    for name in "${missing[@]}"; do
        "make_$name"
        echo "secrets/$name was missing and is made; the others are as they were" >&2
    done
    exit 0
fi
password="$(od --address-radix=n --format=x1 --read-bytes=24 /dev/urandom | tr -d ' \n')"
# Only you may enter the folder; inside, the containers' own users must be able to read.
install --directory --mode=700 secrets
printf '%s\n' "$password" >secrets/database_password
printf 'postgresql://bitpal:%s@postgres:5432/bitpal\n' "$password" >secrets/database_url
make_sealing_keys
make_operator_token
chmod 644 secrets/*
