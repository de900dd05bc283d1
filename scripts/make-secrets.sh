#!/usr/bin/env bash
# Makes the secrets that docker-compose.yml hands to its containers as files, once: scripts/make-secrets.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# A line of its file is a number and a key; to change it, put another below with the next number, and keep the old.
make_sealing_keys() {
    printf '1 %s\n' "$(head --bytes=32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '=')" >secrets/sealing_keys
    chmod 644 secrets/sealing_keys
}

if [[ -e secrets/database_password ]]; then
    if [[ -e secrets/sealing_keys ]]; then
        echo 'secrets/ is there already; remove it, and the volume of the database, to begin again' >&2
        exit 1
    fi
    make_sealing_keys
    echo 'secrets/sealing_keys was missing and is made; the others are as they were' >&2
    exit 0
fi
password="$(od --address-radix=n --format=x1 --read-bytes=24 /dev/urandom | tr -d ' \n')"
# Only you may enter the folder; inside, the containers' own users must be able to read.
install --directory --mode=700 secrets
printf '%s\n' "$password" >secrets/database_password
printf 'postgresql://bitpal:%s@postgres:5432/bitpal\n' "$password" >secrets/database_url
make_sealing_keys
chmod 644 secrets/*
