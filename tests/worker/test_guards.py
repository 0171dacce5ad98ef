"""What ends uncaught tells its class and no word; a process of ours leaves no core dump."""

import subprocess
import sys

PROGRAM = """
import gc, sys, threading, warnings
from habitus_worker.guards import no_core_dumps, on_stderr, only_classes
import faulthandler, resource
faulthandler.enable()
no_core_dumps()
only_classes(on_stderr)
print(resource.getrlimit(resource.RLIMIT_CORE)[0], faulthandler.is_enabled())
class Gone:
    def __del__(self):
        raise KeyError("renata.oliveira@example.com")
def fail():
    raise ValueError("renata.oliveira@example.com")
thread = threading.Thread(target=fail)
thread.start()
thread.join()
gone = Gone()
del gone
gc.collect()
warnings.warn("renata.oliveira@example.com", UserWarning)
raise RuntimeError("renata.oliveira@example.com")
"""


def test_whatever_ends_uncaught_tells_its_class_and_not_a_word() -> None:
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stdout.split() == ["0", "False"]
    assert done.stderr.splitlines() == [
        "habitus: thread crashed (ValueError)",
        "habitus: unraisable (KeyError)",
        "habitus: library warning (UserWarning)",
        "habitus: crashed (RuntimeError)",
    ]


def test_a_process_that_holds_content_cannot_be_dumped() -> None:
    ask = "import ctypes; from habitus_worker.guards import no_core_dumps; no_core_dumps(); "
    ask += "print(ctypes.CDLL(None).prctl(3, 0, 0, 0, 0))"  # PR_GET_DUMPABLE
    done = subprocess.run([sys.executable, "-c", ask], capture_output=True, text=True, timeout=60, check=True)
    assert sys.platform != "linux" or done.stdout.strip() == "0"


SWALLOWED = """
import os, signal, time
from habitus_worker.guards import on_stderr, only_classes

def interrupted(*_):
    raise KeyboardInterrupt

class Finalised:
    def __del__(self):
        os.kill(os.getpid(), signal.SIGINT)
        for _ in range(1000):
            pass

signal.signal(signal.SIGTERM, interrupted)
signal.signal(signal.SIGINT, signal.default_int_handler)
only_classes(on_stderr)
try:
    Finalised()
    print("swallowed", flush=True)
    time.sleep(30)
except KeyboardInterrupt:
    print("stopped")
"""


def test_an_interrupt_in_the_middle_of_a_finaliser_still_stops_the_program() -> None:
    done = subprocess.run([sys.executable, "-c", SWALLOWED], capture_output=True, text=True, timeout=60, check=True)
    assert (done.stdout.split(), done.stderr) == (["swallowed", "stopped"], "")
