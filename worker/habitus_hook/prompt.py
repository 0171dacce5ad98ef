"""The query-time hook, by way of the same program: its body needs the classifier, so it is loaded by name."""

import os
import sys
from importlib import import_module

WORD = "user-prompt"
"""The first word of its command line."""
BODY = "habitus_worker.user_prompt"


def main() -> None:
    """Runs the hook and ends the process with exit code 0, also where the classifier is not installed."""
    try:
        del sys.argv[1]
        import_module(BODY).main()
    except BaseException:  # noqa: BLE001, S110 - with exit code 2 an agent would throw the person's prompt away
        pass
    os._exit(0)
