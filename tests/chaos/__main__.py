"""`make chaos`: a long storm. Prints its seed, and a table; exits 1 when anything is not as it must be."""

import argparse
import random
import sys
import tempfile
from contextlib import ExitStack
from pathlib import Path

from storm import Storm, verdict

from habitus_tasks.store import open_database
from habitus_worker.bench.servers import embedded_postgresql, postgresql_databases
from habitus_worker.keys import create_keys
from habitus_worker.settings import read_settings


def main() -> int:
    words = argparse.ArgumentParser(prog="make chaos", description=__doc__)
    words.add_argument("--sessions", type=int, default=5000)
    words.add_argument("--seed", type=int, default=random.randrange(10**6), help="what breaks, when and for whom")
    words.add_argument("--troubles", type=int, default=0, help="how many; one for 60 sessions when left out")
    words.add_argument("--workers", type=int, default=1, help="of each zone")
    words.add_argument("--database", choices=["sqlite", "postgresql"], default="postgresql")
    words.add_argument("--minutes", type=float, default=60)
    given = words.parse_args()
    troubles = given.troubles or max(9, given.sessions // 60)
    print(f"seed {given.seed}: make chaos SESSIONS={given.sessions} SEED={given.seed}", flush=True)
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="habitus-chaos-")))
        url = ""
        if given.database == "postgresql":
            make = stack.enter_context(postgresql_databases(stack.enter_context(embedded_postgresql())))
            database = make()
            url = database.engine.url.render_as_string(hide_password=False)
        create_keys(home / "keys.json")
        settings = read_settings(
            home=home, redis_url="", database_url=url, visibility_timeout=5, task_seconds=20, sweep_seconds=1,
            resend_seconds=8, attempts=1000, max_backlog=300,
        )  # fmt: skip
        open_database(settings.database).close()
        storm = Storm(settings, given.sessions, given.seed, troubles, given.workers)
        result = storm.run(given.minutes * 60)
        print(verdict(result))
        return int(bool(result.faults))


if __name__ == "__main__":
    sys.exit(main())
