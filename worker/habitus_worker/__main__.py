"""`python -m habitus_worker` is `habitus`."""

from habitus_worker.cli import main

main()
