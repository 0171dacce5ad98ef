"""What `habitus forget` has to take out here: a person's entries of the spool, and the notes of their files."""

from habitus_worker.keys import load_keys
from habitus_worker.settings import Settings
from habitus_worker.teardown.enrolment import enrolments
from habitus_worker.teardown.rounds import alone, has_work
from habitus_worker.teardown.spool import entries, spool_of
from habitus_worker.teardown.taken import FILE, Taken


def forget_files(settings: Settings, user: str, tenant: str | None) -> int:
    """Takes them out of this data folder, and returns how many there were. What an agent keeps is the agent's.

    Raises:
        HabitusError: when the folder or the keys cannot be used.
    """
    home, whose = settings.home, (tenant or settings.tenant, user)
    if not has_work(home) and not (home / FILE).exists():
        return 0
    with alone(home):
        owners = {agent: (each.tenant or settings.tenant, each.user) for agent, each in enrolments(home).items()}
        theirs = [each for each in entries(spool_of(home)) if each.body and owners.get(each.body.agent) == whose]
        for entry in theirs:
            entry.remove()
        if not (home / FILE).exists():
            return len(theirs)
        with Taken(home, load_keys(settings.keys).ids) as taken:
            return len(theirs) + taken.forget(whose)
