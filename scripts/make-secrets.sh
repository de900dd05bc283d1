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

# The database URL of each service, and of who owns everything for `backup`, with a role and a password of its own, which `migrate` gives to the role. To
# change one, remove its file and run this again, then docker-compose up --force-recreate with the service's name.
make_database_urls() {
    local name role
    install --directory --mode=755 secrets/database
    for name in migrate feed-ingestor book-builder alert-evaluator portfolio-service notifier gateway; do
        [[ -e "secrets/database/$name.url" ]] && continue
        role="bitpal_${name//-/_}"
        # The gateway takes on bitpal_gateway for the user that it acts for; nobody signs in as that.
        [[ "$name" == gateway ]] && role=bitpal_gateway_service
        printf 'postgresql://%s:%s@postgres:5432/bitpal\n' "$role" "$(random)" >"secrets/database/$name.url"
        chmod 644 "secrets/database/$name.url"
        # As with the others: what is missing beside them is told.
        [[ -n "${made:-}" ]] || continue
        printf 'secrets/database/%s.url was missing and is made\n' "$name" >&2
        made=1
    done
}

# 32 bytes as ZeroMQ writes keys: four bytes are five digits of Z85 (rfc.zeromq.org, 32/Z85).
z85() {
    local digits='0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-:+=^!/*?&<>()[]{}@%$#'
    local text='' number power
    for number in $(od --address-radix=n --format=x4 --endian=big); do
        number=$((16#$number))
        for power in 52200625 614125 7225 85 1; do text+="${digits:number / power % 85:1}"; done
    done
    printf '%s' "$text"
}

# A pair of CURVE keys, which are keys of X25519: sets `public` and `hidden`.
make_pair() {
    local key="secrets/.bus-pair"
    openssl genpkey -algorithm X25519 -outform DER -out "$key"
    hidden="$(tail --bytes=32 "$key" | z85)"
    public="$(openssl pkey -inform DER -in "$key" -pubout -outform DER | tail --bytes=32 | z85)"
    rm "$key"
}

# The keys of one client of the bus, and what it may publish and hear: the same as `bitpal keys init` gives.
make_client() {
    local name="$1" publish="$2" subscribe="$3" prefix
    make_pair
    printf 'curve\n    public-key = "%s"\n    secret-key = "%s"\n    server-key = "%s"\n' \
        "$public" "$hidden" "$server" >"secrets/bus/$name.key"
    {
        printf 'curve\n    public-key = "%s"\nbitpal\n' "$public"
        for prefix in $publish; do printf '    publish = "%s"\n' "$prefix"; done
        for prefix in $subscribe; do printf '    subscribe = "%s"\n' "${prefix/#everything/}"; done
    } >"secrets/bus/allowed/$name.pub"
}

# Beside those that are there: who backs up came later than the others.
make_backup() {
    local server public hidden
    server="$(sed --quiet 's/^ *public-key = "\(.*\)"$/\1/p' secrets/bus/bus-broker.pub)"
    make_client backup 'heartbeat.backup service.status.backup.' ''
    chmod 644 secrets/bus/backup.key secrets/bus/allowed/backup.pub
}

# The keys of the bus: a file for each service, and whom the broker lets in.
make_bus() {
    local market='book. trade. ticker. mark. derivative. candle. index. feed.status.' public hidden server
    install --directory --mode=700 secrets/bus
    install --directory --mode=755 secrets/bus/allowed
    make_pair
    server="$public"
    printf 'curve\n    public-key = "%s"\n' "$public" >secrets/bus/bus-broker.pub
    printf 'curve\n    public-key = "%s"\n    secret-key = "%s"\n    server-key = "%s"\n' \
        "$public" "$hidden" "$server" >secrets/bus/bus-broker.key
    make_client feed-ingestor \
        'trade. ticker. mark. derivative. liquidation. book.delta. book.snapshot. book.audit. candle.
        feed.status. market.tickers. control.reply. heartbeat.feed-ingestor service.status.feed-ingestor.' \
        'control. heartbeat.'
    make_client book-builder \
        'book.top. book.snapshot. book.depth. candle. ticker.day. index.
        heartbeat.book-builder service.status.book-builder. heartbeat.metadata service.status.metadata.' \
        'book. trade. ticker. mark. candle. feed.status. heartbeat.'
    make_client alert-evaluator 'heartbeat.alert-evaluator service.status.alert-evaluator.' \
        "$market portfolio.valuation. heartbeat."
    make_client portfolio-service \
        'portfolio.valuation. heartbeat.portfolio-service service.status.portfolio-service.' \
        'index. market.tickers. heartbeat.'
    make_client gateway 'heartbeat.gateway service.status.gateway.' \
        "$market market.tickers. service.status. portfolio.valuation. heartbeat."
    make_backup
    make_client operator 'control. heartbeat.bitpal-' everything
    chmod 644 secrets/bus/*.key secrets/bus/*.pub secrets/bus/allowed/*.pub
}

if [[ -e secrets/database_password ]]; then
    made=0
    # The last file that is made: what was begun and failed is made anew.
    if [[ ! -e secrets/bus/allowed/operator.pub ]]; then
        make_bus
        echo 'secrets/bus was missing and is made; the others are as they were' >&2
        made=1
    elif [[ ! -e secrets/bus/allowed/backup.pub ]]; then
        make_backup
        echo 'secrets/bus/backup.key was missing and is made; the others are as they were' >&2
        made=1
    fi
    for name in sealing_keys operator_token; do
        [[ -e "secrets/$name" ]] && continue
        "make_$name"
        chmod 644 "secrets/$name"
        printf 'secrets/%s was missing and is made; the others are as they were\n' "$name" >&2
        made=1
    done
    make_database_urls
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
make_database_urls
make_bus
