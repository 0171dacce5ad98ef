"""Programs that we start and that must not outlive us.

On Linux the kernel sends them SIGTERM when we die, however we die. Elsewhere they live on after a `kill -9`, and who
starts next must ask them to go (`habitus_worker.embedded`).
"""

import ctypes
import os
import signal
import subprocess
import sys
import threading
from collections.abc import Sequence
from typing import Any

_PR_SET_PDEATHSIG = 1
"""prctl(2): the signal that a process gets when the thread that made it ends. It survives execve."""
_BOUND = f"""
import ctypes, os, sys
ctypes.CDLL(None).prctl({_PR_SET_PDEATHSIG}, {int(signal.SIGTERM)}, 0, 0, 0)
if os.getppid() == int(sys.argv[1]):
    os.execv(sys.argv[2], sys.argv[2:])
"""
"""Asks for the signal, then becomes the program. Not a `preexec_fn`: that may hang where there are other threads."""


def start_child(command: Sequence[str], **how: Any) -> "subprocess.Popen[bytes]":
    """Starts `command`, whose first word is a path, in a session of its own: Ctrl-C reaches us alone.

    `how`: what else `subprocess.Popen` takes.
    """
    # Of a thread that ends before the process, the kernel would take the end for ours.
    bound = sys.platform == "linux" and threading.current_thread() is threading.main_thread()
    before = [sys.executable, "-I", "-S", "-c", _BOUND, str(os.getpid())] if bound else []
    return subprocess.Popen([*before, *command], start_new_session=True, **how)


def end_with_parent() -> None:
    """Ends this process, a fork of ours, with its parent. On Linux; elsewhere nothing changes."""
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL), 0, 0, 0)
