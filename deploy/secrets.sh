#!/bin/sh
# Makes the secrets of deploy/compose.yml in deploy/secrets: fresh passwords, the settings of each service, and the keys.
# What is there stays as it is. As root it hands each file to the user that reads it in its container.
#   PYTHON  one that has habitus installed, which makes the keys
set -eu
umask 077
folder=${1:-$(dirname "$0")/secrets}
mkdir -p "$folder"
for name in redis-submit redis-content redis-record redis-operate postgres-owner postgres-record postgres-serve; do
    [ -s "$folder/$name" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' >"$folder/$name"
done
redis() {
    printf 'redis_url = "redis://habitus-%s:%s@redis:6379/0"\n' "$1" "$(cat "$folder/redis-$1")"
}
database() {
    printf 'database_url = "postgresql+psycopg://%s:%s@postgres/habitus"\n' "$1" "$(cat "$folder/postgres-$2")"
}
redis content >"$folder/content.toml"
{ redis record && database habitus_record_worker record; } >"$folder/record.toml"
{ redis operate && database habitus_serve_login serve; } >"$folder/serve.toml"
database habitus_owner owner >"$folder/owner.toml"
"${PYTHON:-python3}" - "$folder/keys.json" <<'MAKE'
import pathlib, sys
from habitus_worker.keys import create_keys
create_keys(pathlib.Path(sys.argv[1]))
MAKE
if [ "$(id -u)" = 0 ]; then
    chown 10001:10001 "$folder"/*.toml "$folder/keys.json"
    chown 999 "$folder"/redis-* "$folder"/postgres-*
fi
