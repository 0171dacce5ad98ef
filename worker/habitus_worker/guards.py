"""What a process of ours never leaves behind when it dies: a core dump, or a traceback with the words of an error.

Light: the command line and the workers call it before anything else.
"""

import _thread
import contextlib
import ctypes
import faulthandler
import resource
import signal
import sys
import threading
import warnings
from collections.abc import Callable
from typing import Any

_PR_SET_DUMPABLE = 4
"""prctl(2): 0 also covers cores that are piped to a program, for which the limit on their size does not count, and
keeps other processes of the same user from reading this one's memory."""
AGAIN_SECONDS = 0.05
Tell = Callable[[str, str], None]
"""Takes an event's name and the class of an error, and nothing of its words."""


def no_core_dumps() -> None:
    """Forbids core dumps to this process. Its forks inherit that; a program it starts inherits the limit alone."""
    _, most = resource.getrlimit(resource.RLIMIT_CORE)
    resource.setrlimit(resource.RLIMIT_CORE, (0, most))
    faulthandler.disable()
    if sys.platform == "linux":
        with contextlib.suppress(OSError, AttributeError):
            ctypes.CDLL(None).prctl(_PR_SET_DUMPABLE, 0, 0, 0, 0)


def only_classes(tell: Tell) -> None:
    """Whatever ends uncaught (in any thread or finaliser) and every warning is told by its class alone.

    An interrupt that a finaliser swallowed is not told but made good: SIGTERM's handler is called soon afterwards.
    """

    def crashed(kind: type[BaseException], _value: object, _trace: object) -> None:
        if not issubclass(kind, KeyboardInterrupt):
            tell("crashed", kind.__name__)

    def thread_crashed(what: threading.ExceptHookArgs) -> None:
        tell("thread_crashed", what.exc_type.__name__)

    def unraisable(what: Any) -> None:
        if what.exc_type is KeyboardInterrupt:
            # It came in the middle of a finaliser, which lets nothing out: it comes again a moment later.
            again = threading.Timer(AGAIN_SECONDS, _thread.interrupt_main, [signal.SIGTERM])
            again.daemon = True
            again.start()
        else:
            tell("unraisable", what.exc_type.__name__ if what.exc_type else "none")

    def warned(_message: Any, category: type[Warning], *_where: Any) -> None:
        tell("library_warning", category.__name__)

    sys.excepthook = crashed
    threading.excepthook = thread_crashed
    sys.unraisablehook = unraisable
    warnings.showwarning = warned  # type: ignore[assignment]  # typeshed names the parameters


def on_stderr(event: str, kind: str) -> None:
    """Tells in one line, where there is no log."""
    sys.stderr.write(f"habitus: {event.replace('_', ' ')} ({kind})\n")
