"""`credential`: a note with a credential is refused."""

import pytest

from habitus_tasks.barriers.credential import BARRIER

CAUGHT = [
    "Authorization: token",
    "bearer 0123456789ab",
    "Basic dXNlcjpwYXNz",
    "Digest abcdefghijkl",
    "Negotiate abcdefghijkl",
    "X-Api-Key: x",
    "password=hunter",
    "passwd: hunter",
    "passphrase is hunter",
    "passcode was hunter",
    "pwd=abc",
    "pw: abc",
    "secret = abc",
    "token=abc",
    "api_key=abc",
    "API key: abc",
    "access-key=abc",
    "client_secret=abc",
    "private key=abc",
    "auth_token=abc",
    "credentials: abc",
    "User Id=sa1",
    "uid=root",
    "login: root",
    "pin: 1234",
    "PIN 4921",
    "pin code 123",
    "admin/admin",
    "root:toor",
    "mysql -h db -uroot",
    "psql -h db -U root",
    "sshpass -p abc",
    "mysqldump x -P 3306",
    "Server=tcp:abc;",
    "Data Source=abc;",
    "Host=abc;",
    "Database=abc;",
    "Initial Catalog=abc;",
    "AWS_SECRET_ACCESS_KEY abcdefghijabcdefghij",
    "secret abcdefghijklmnopqrst1",
    "x-app-token: a",
    "x-app-secret: b",
    "guest:admin",
    "test:admin",
    "admin:guest",
    "admin:test",
    "admin:pass",
    "root:root",
    "auth-token=abc",
    "guest:toor",
    "Authorization: x",
    "pass: abc",
    "apikey=abc",
    "accesskey=abc",
    "privatekey=abc",
    "credential: abc",
    "userid: abc",
    "uid=abc",
    "login: abc",
    "psql x -U y",
]
LEFT_ALONE = [
    "bearer tokens are out",
    "basic 0123456789a",
    "a limit of 300 tokens",
    "tokens: 300",
    "the token limit is 300",
    "max_tokens=300",
    "a key value table",
    "login and logout",
    "pin 12 packages",
    "admin/user",
    "host names in backticks",
    "Authorization headers",
    "database names in lower case",
    "tokens longAlphanumericsAreKeptHereX",
    "pin the spin: fast",
    "pin a spin abcdefghijabcdefghij",
]


@pytest.mark.parametrize("text", CAUGHT)
def test_credential_catches_a_credential(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_credential_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
