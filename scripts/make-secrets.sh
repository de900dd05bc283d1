#!/usr/bin/env bash
# Makes the secrets that docker-compose.yml hands to its containers as files, once: scripts/make-secrets.sh
set -euo pipefail
cd "$(dirname "$0")/.."

# 32 bytes in Base64 for URLs.
random() {
    head --bytes=32 /dev/urandom | base64 | tr '+/' '-_' | tr -d '='
}

# A line of its file is a number and a key; to change it, put another below with the next number, and keep the old.
make_sealing_keys() {
    printf '1 %s\n' "$(random)" >secrets/sealing_keys
}

# What `bitpal` on this machine shows to the gateway, which knows it by the key of the local user in front.
make_operator_token() {
    printf 'cm_00000000000070008000000000000001_%s\n' "$(random)" >secrets/operator_token
}

if [[ -e secrets/database_password ]]; then
    made=0
    for name in sealing_keys operator_token; do
        [[ -e "secrets/$name" ]] && continue
        "make_$name"
        chmod 644 "secrets/$name"
        printf 'secrets/%s was missing and is made; the others are as they were\n' "$name" >&2
        made=1
    done
    if [[ $made == 0 ]]; then
        echo 'secrets/ is there already; remove it, and the volume of the database, to begin again' >&2
        exit 1
    fi
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
