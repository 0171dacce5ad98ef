"""What is installed beside us keeps the promise: a library that tells its maker how it is used has no place here."""

import sysconfig
from pathlib import Path

COLLECTORS = (b"events.data.microsoft.com", b"google-analytics.com", b"applicationinsights", b"api.segment.io")
"""Where libraries are known to send usage data: ONNX Runtime from 1.29 on (the first), and the usual services."""


def test_no_compiled_library_knows_an_address_that_collects_usage_data() -> None:
    libraries = [
        *Path(sysconfig.get_path("platlib")).rglob("*.so"),
        *Path(sysconfig.get_path("platlib")).rglob("*.so.*"),
    ]
    assert any("onnxruntime" in library.name for library in libraries)
    assert [library.name for library in libraries if any(name in library.read_bytes() for name in COLLECTORS)] == []
