"""Redis behind TLS, with a certificate on both sides: a small proxy speaks it, a real Redis is behind it."""

import contextlib
import ipaddress
import socket
import ssl
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.x509.oid import NameOID

from habitus_schema.errors import UnavailableError
from habitus_schema.transcript import Format, Speaker, Transcript, Turn
from habitus_tasks.jobs import CONTENT_TASK
from habitus_tasks.pipeline import Caller
from habitus_worker.app import CONTENT_QUEUE, make_app
from habitus_worker.broker import depths
from habitus_worker.days import today
from habitus_worker.desks import send
from habitus_worker.keys import create_keys
from habitus_worker.ledger import connect
from habitus_worker.settings import Settings, read_settings
from habitus_worker.submitting import Submitter, ledger_of

TICKET = "ab" * 16


class Authority:
    """Signs certificates for 127.0.0.1."""

    def __init__(self, folder: Path, name: str) -> None:
        self.folder, self._key = folder, ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.file = folder / f"{name}.pem"
        own = self._signed(self._name, self._key.public_key(), x509.BasicConstraints(ca=True, path_length=None))
        self.file.write_bytes(own.public_bytes(serialization.Encoding.PEM))

    def issue(self, name: str) -> tuple[Path, Path]:
        """A certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        host = x509.SubjectAlternativeName([x509.IPAddress(ipaddress.ip_address("127.0.0.1"))])
        made = self._signed(subject, key.public_key(), host)
        files = self.folder / f"{name}.crt", self.folder / f"{name}.key"
        files[0].write_bytes(made.public_bytes(serialization.Encoding.PEM))
        plain = serialization.NoEncryption()
        form = serialization.PrivateFormat.PKCS8
        files[1].write_bytes(key.private_bytes(serialization.Encoding.PEM, form, plain))
        return files

    def _signed(
        self, subject: x509.Name, key: ec.EllipticCurvePublicKey, extension: x509.ExtensionType
    ) -> x509.Certificate:
        now = datetime.now(UTC)
        made = x509.CertificateBuilder(self._name, subject, key, x509.random_serial_number())
        made = made.not_valid_before(now - timedelta(days=1)).not_valid_after(now + timedelta(days=1))
        return made.add_extension(extension, critical=True).sign(self._key, hashes.SHA256())


def _pass_on(source: socket.socket, target: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while data := source.recv(65536):
            target.sendall(data)
    with contextlib.suppress(OSError):
        target.shutdown(socket.SHUT_RDWR)


def _serve(client: socket.socket, context: ssl.SSLContext, path: str) -> None:
    with (
        contextlib.suppress(OSError),
        context.wrap_socket(client, server_side=True) as secured,
        socket.socket(socket.AF_UNIX) as server,
    ):
        server.connect(path)
        back = threading.Thread(target=_pass_on, args=(server, secured), daemon=True)
        back.start()
        _pass_on(secured, server)
        back.join()


def _accept(listener: socket.socket, context: ssl.SSLContext, path: str) -> None:
    with contextlib.suppress(OSError):
        while True:
            client, _ = listener.accept()
            threading.Thread(target=_serve, args=(client, context, path), daemon=True).start()


@contextlib.contextmanager
def _proxy(context: ssl.SSLContext, redis_url: str) -> Iterator[int]:
    path = redis_url.removeprefix("unix://").partition("?")[0]
    with socket.create_server(("127.0.0.1", 0)) as listener:
        threading.Thread(target=_accept, args=(listener, context, path), daemon=True).start()
        yield listener.getsockname()[1]
        listener.shutdown(socket.SHUT_RDWR)


Reach = Callable[[str], Settings]


@pytest.fixture
def reach(tmp_path: Path, redis_url: str) -> Iterator[Reach]:
    """Settings of a deployment whose Redis asks for a certificate of the authority `ours`, with these TLS options."""
    ours, theirs = Authority(tmp_path, "ours"), Authority(tmp_path, "theirs")
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*ours.issue("server"))
    context.load_verify_locations(ours.file)
    context.verify_mode = ssl.CERT_REQUIRED
    for authority, name in ((ours, "client"), (theirs, "stranger")):
        authority.issue(name)
    create_keys(tmp_path / "keys.json")

    def settings(options: str) -> Settings:
        given = options.format(folder=tmp_path)
        return read_settings(home=tmp_path, redis_url=f"rediss://127.0.0.1:{port}/0?{given}", database_url="")

    with _proxy(context, redis_url) as port:
        yield settings


RIGHT = "ssl_ca_certs={folder}/ours.pem&ssl_certfile={folder}/client.crt&ssl_keyfile={folder}/client.key"


def test_ledger_and_broker_work_by_tls_with_one_url(reach: Reach, redis_url: str) -> None:
    settings = reach(RIGHT)
    said = Turn(Speaker.PERSON, "hello there", "hello there")
    ticket = Submitter(settings).submit(Transcript(Format.HABITUS, "s", (said,)), Caller("ada", "acme", "", today()))
    assert ledger_of(settings).counts().in_flight == 1
    assert depths(settings, [CONTENT_QUEUE]) == [connect(redis_url).llen(CONTENT_QUEUE)] == [1]
    with make_app(settings).connection_for_read() as connection:
        message = connection.SimpleQueue(CONTENT_QUEUE).get(timeout=10)
        assert message.payload[0] == [ticket]
        message.ack()


@pytest.mark.parametrize(
    "options",
    [
        "",  # the system's authorities do not know ours
        "ssl_ca_certs={folder}/ours.pem",  # nothing to show
        RIGHT.replace("ours.pem", "theirs.pem"),  # a server that another authority vouches for
        RIGHT.replace("client.", "stranger."),
    ],
    ids=["unknown authority", "no certificate of ours", "another's server", "a stranger's certificate"],
)
def test_who_cannot_show_what_is_asked_for_is_not_let_through(reach: Reach, redis_url: str, options: str) -> None:
    settings = reach(options)
    with pytest.raises(UnavailableError):
        ledger_of(settings).counts()
    with pytest.raises(UnavailableError):
        send(make_app(settings), CONTENT_TASK, CONTENT_QUEUE, TICKET)
    assert connect(redis_url).llen(CONTENT_QUEUE) == 0
