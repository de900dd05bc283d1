#!/usr/bin/env bash
# Makes the secrets that docker-compose.yml hands to its containers as files, once: scripts/make-secrets.sh
set -euo pipefail
cd "$(dirname "$0")/.."

if [[ -e secrets/database_password ]]; then
    echo 'secrets/ is there already; remove it, and the volume of the database, to begin again' >&2
    exit 1
fi
password="$(od --address-radix=n --format=x1 --read-bytes=24 /dev/urandom | tr -d ' \n')"
# Only you may enter the folder; inside, the containers' own users must be able to read.
install --directory --mode=700 secrets
printf '%s\n' "$password" >secrets/database_password
printf 'postgresql://bitpal:%s@postgres:5432/bitpal\n' "$password" >secrets/database_url
chmod 644 secrets/*
