#!/bin/sh
# Starts Redis with the accounts of users.acl. Their passwords are read from one file for each account and handed to Redis
# as digests: no password is in a command line, an environment or the file that Redis reads.
#   PASSWORDS  folder with the files redis-submit, redis-content, redis-record and redis-operate
#   ACCOUNTS   where to write what Redis reads (in memory)
# Further words go to redis-server: start.sh --maxmemory 4gb
set -eu
umask 077
here=$(dirname "$0")
passwords=${PASSWORDS:-/run/secrets}
accounts=${ACCOUNTS:-/run/redis/users.acl}
cp "$here/users.acl" "$accounts"
for role in submit content record operate; do
    secret=$(cat "$passwords/redis-$role")
    if [ "${#secret}" -lt 16 ]; then
        echo "redis-$role: a password of 16 characters or more is needed" >&2
        exit 2
    fi
    digest=$(printf %s "$secret" | sha256sum | cut -d' ' -f1)
    sed "s/^user habitus-$role on resetpass/& #$digest/" "$accounts" >"$accounts.next"
    mv "$accounts.next" "$accounts"
done
server=${REDIS_SERVER:-redis-server}
case $("$server" --version) in
    *v=[0-6].*) sed 's/ %W~/ ~/g' "$accounts" >"$accounts.next" && mv "$accounts.next" "$accounts" ;; # has no write-only keys
esac
exec "$server" "$here/redis.conf" --aclfile "$accounts" "$@"
