"""Reading a file far larger than what is kept of it takes little memory and not much time."""

import json
import subprocess
import sys

READ = """
import io, json, resource, sys
from pathlib import Path
from habitus_tasks.parse import read

class Endless(io.RawIOBase):
    "A file that is made while it is read."
    def __init__(self):
        self.parts = iter(self.rows())
        self.rest = b""
    def rows(self):
        {rows}
    def read(self, size=-1):
        while len(self.rest) < size and (part := next(self.parts, None)):
            self.rest += part
        part, self.rest = self.rest[:size], self.rest[size:]
        return part

sessions = list(read(Endless()))
own = [turn.text for session in sessions for turn in getattr(session, "turns", ()) if turn.speaker == "person"]
codes = [session.code for session in sessions if hasattr(session, "code")]
# Linux counts the parent's memory into a child's maximum until it runs a program of its own, so the kernel's own figure
# for this program comes first.
status = Path("/proc/self/status")
peaks = [line.split()[1] for line in status.read_text().splitlines() if line[:6] == "VmHWM:"] if status.exists() else []
peak = int(peaks[0]) if peaks else resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
print(json.dumps({{"own": own[:5], "count": len(own), "codes": codes, "mb": peak / 1024}}))
"""
RECORDS = """
        def row(number, content, **fields):
            return json.dumps({"type": "user", "uuid": str(number), "sessionId": "s", **fields,
                               "message": {"role": "user", "content": content}}).encode() + b"\\n"
        yield row(0, "keep it short")
        for number in range(1, 31):
            result = [{"type": "tool_result", "content": "x" * 500_000}]
            yield row(number, result, toolUseResult={"stdout": "y" * 500_000})
        yield row(60, "a" * 30_000_000)
        yield b"\\0" * 5_000_000 + b"\\n"
        yield row(61, "no tables")
        yield b'{"type": "user", "uuid": "trunc'
"""
ARRAY = """
        yield b"["
        for number in range(6):
            yield json.dumps({"session_id": str(number), "messages": [{"role": "user", "content": "short"},
                              {"role": "tool", "content": "\\U0001f600" + "z" * 1_500_000}]}).encode() + b","
        yield json.dumps({"session_id": "long", "messages": ["a" * 30_000_000]}).encode() + b"]"
"""


def _measured(rows: str) -> dict[str, object]:
    code = READ.format(rows=rows.strip())
    done = subprocess.run([sys.executable, "-c", code], check=True, capture_output=True, timeout=60)
    found: dict[str, object] = json.loads(done.stdout)
    return found


def test_a_session_file_of_many_megabytes_does_not_fill_the_memory() -> None:
    found = _measured(RECORDS)
    assert (found["own"], found["codes"]) == (["keep it short", "no tables"], [])
    assert isinstance(found["mb"], float)
    assert found["mb"] < 200


def test_an_array_of_many_megabytes_does_not_fill_the_memory() -> None:
    found = _measured(ARRAY)
    assert (found["count"], found["codes"]) == (6, ["TOO_LARGE"])
    assert isinstance(found["mb"], float)
    assert found["mb"] < 200
