"""A worker whose clock is wrong: `python skewed.py SECONDS worker --zone content`. Celery sees the wrong time."""

import sys
import time

if __name__ == "__main__":
    _now, _skew = time.time, float(sys.argv.pop(1))
    time.time = lambda: _now() + _skew

    from habitus_worker.cli import main

    main()
