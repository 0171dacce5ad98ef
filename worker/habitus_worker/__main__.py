"""The program: ``habitus``, or ``python -m habitus_worker``."""

from typing import NoReturn

from habitus_worker.guards import no_core_dumps, on_stderr, only_classes


def program() -> NoReturn:
    """Runs the command line in a process that leaves neither a core dump nor the words of an error behind."""
    no_core_dumps()
    only_classes(on_stderr)
    from habitus_worker.cli import main

    main()
    raise SystemExit


if __name__ == "__main__":
    program()
