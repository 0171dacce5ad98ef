#!/bin/sh
# Puts deploy/roles.sql in force and makes the accounts that record workers and `habitus serve` log in with. Run it as the
# owner of the tables, after each `habitus migrate`; again does no harm. Passwords come from files and go in on stdin.
#   SECRETS  folder with postgres-owner, postgres-record and postgres-serve
#   ROLES    deploy/roles.sql
set -eu
secrets=${SECRETS:-/run/secrets}
PGPASSWORD=$(cat "$secrets/postgres-owner")
export PGPASSWORD
psql --no-psqlrc --quiet --set ON_ERROR_STOP=1 --file "${ROLES:-/etc/habitus-roles.sql}"
{
    for name in record serve; do
        printf "\\\\set %s '%s'\n" "$name" "$(cat "$secrets/postgres-$name")"
    done
    cat "$(dirname "$0")/accounts.sql"
} | psql --no-psqlrc --quiet --set ON_ERROR_STOP=1
