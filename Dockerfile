# One image for every service: docker build --build-arg SERVICE=bus-broker --build-arg COMMIT="$(scripts/commit.sh)" .
# Bases by exact version; what their tags led to is in services/images.txt once `make images` has reached a registry.
ARG SWIFT=6.3.1
ARG DEBIAN=12.12

FROM swift:${SWIFT}-bookworm AS build
RUN apt-get update \
    && apt-get install --yes --no-install-recommends \
        libcurl4-openssl-dev libpq-dev libsodium-dev libzmq3-dev python3 python3-venv zlib1g-dev \
    && rm -rf /var/lib/apt/lists/*
WORKDIR /source
# The dependencies change rarely: they are fetched in a layer of their own.
COPY Package.swift Package.resolved* ./
RUN swift package resolve
COPY . .
# All executables, before the service is named, so that the images share this layer; each by name, because a build
# of everything also compiles a dependency's protoc. Swift's own libraries are linked in; Debian's stay dynamic and
# get Debian's security updates. git is not asked: what `--version` says of the commit is given from outside.
ARG COMMIT
RUN set -e; mkdir /out; export BUILD_COMMIT="$COMMIT"; \
    for service in bus-broker feed-ingestor book-builder alert-evaluator notifier portfolio-service gateway \
        venue-simulator bitpal; do \
        swift build -c release --static-swift-stdlib --product "$service"; \
        install --strip --mode=755 ".build/release/$service" /out/; \
        mkdir --parents "/out/services/$service"; \
        test ! -e "services/$service/config.json" || cp "services/$service/config.json" "/out/services/$service/"; \
    done
# The chart library of the web page is not part of the project.
RUN scripts/web-vendor.sh

FROM debian:${DEBIAN}-slim
ARG SERVICE
RUN test -n "$SERVICE" || { echo 'error: name the service with --build-arg SERVICE=…' >&2; exit 1; }
# The base is as old as its version: what Debian has mended since comes with the upgrade.
RUN apt-get update \
    && apt-get upgrade --yes \
    && apt-get install --yes --no-install-recommends \
        ca-certificates libcurl4 libpq5 libsodium23 libstdc++6 libzmq5 tzdata zlib1g \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin bitpal \
    && install --directory --owner=bitpal --group=bitpal --mode=700 /var/lib/bitpal/backups
WORKDIR /opt/bitpal
COPY --from=build /out/${SERVICE} bin/service
COPY --from=build /source/web share/bitpal/web
COPY LICENSE NOTICE share/bitpal/
COPY --from=build /out/services/${SERVICE} services/${SERVICE}
COPY scripts/container-health.sh bin/container-health
USER bitpal
STOPSIGNAL SIGTERM
ENTRYPOINT ["/opt/bitpal/bin/service"]
