#!/usr/bin/env bash
# Asks a service of this container for its readiness: container-health PORT
# The image has no HTTP client on purpose; bash opens the connection itself.
set -euo pipefail

exec 3<>"/dev/tcp/127.0.0.1/$1"
printf 'GET /health/ready HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' >&3
read -r -t 2 _ status _ <&3
[[ "$status" == 200 ]]
