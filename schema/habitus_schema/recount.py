"""Triggers that keep the sums of `rejection_count` true to the lines of `rejection`, whoever changes or deletes a line.

A sum counts the lines up to the id in `rejection_counted`. Writing a line costs nothing by them: a new line has a
higher id and is counted from the log itself until `habitus_tasks.log_counting` runs again. Only SQLite can give an id
anew that was counted already (https://sqlite.org/autoinc.html), hence its trigger on INSERT.

On PostgreSQL whoever changes lines shares the advisory lock `COUNTING`, which who counts holds alone: each line is in a
sum exactly if the bound says so. Those who change one tenant's lines take turns by another lock, whose first number is
`TENANT`, so that they never wait for one another in a circle.
"""

from collections.abc import Iterator

from sqlalchemy import DDL
from sqlalchemy.schema import ExecutableDDLElement

NO_DIMENSION = "none"
"""Stands for no dimension in `rejection_count`, whose key cannot hold a NULL."""
COUNTING = 0x6861_6269_7475_74
TENANT = 0x6861_6269
"""Numbers of our own ("habitut", "habi")."""

_ADD = """INSERT INTO rejection_count (tenant, day, code, dimension, lines)
    SELECT NEW.tenant, NEW.day, NEW.code, coalesce(NEW.dimension, 'none'), 1 FROM rejection_counted WHERE NEW.id <= upto
    ON CONFLICT (tenant, day, code, dimension) DO UPDATE SET lines = lines + 1;"""
_SAME = """tenant = OLD.tenant AND day = OLD.day AND code = OLD.code AND dimension = coalesce(OLD.dimension, 'none')"""
_TAKE = f"""UPDATE rejection_count SET lines = lines - 1
    WHERE {_SAME} AND OLD.id <= (SELECT upto FROM rejection_counted);"""  # noqa: S608 - of fixed parts
_SWEEP = f"""DELETE FROM rejection_count WHERE {_SAME} AND lines = 0;"""  # noqa: S608
SQLITE = (
    f"""CREATE TRIGGER IF NOT EXISTS rejection_count_insert AFTER INSERT ON rejection
    WHEN NEW.id <= (SELECT upto FROM rejection_counted) BEGIN {_ADD} END""",  # noqa: S608 - of fixed parts
    f"""CREATE TRIGGER IF NOT EXISTS rejection_count_delete AFTER DELETE ON rejection
    BEGIN {_TAKE} {_SWEEP} END""",
    f"""CREATE TRIGGER IF NOT EXISTS rejection_count_update AFTER UPDATE
    OF id, tenant, day, code, dimension ON rejection BEGIN {_TAKE} {_ADD} {_SWEEP} END""",
)
POSTGRESQL = (
    f"""CREATE OR REPLACE FUNCTION rejection_recount() RETURNS trigger LANGUAGE plpgsql AS $$
DECLARE
    bound bigint;
BEGIN
    PERFORM pg_advisory_xact_lock_shared({COUNTING});
    SELECT max(upto) INTO bound FROM rejection_counted;
    IF bound IS NULL OR NOT EXISTS (SELECT FROM gone WHERE id <= bound) THEN
        RETURN NULL;
    END IF;
    PERFORM pg_advisory_xact_lock({TENANT}, owner.number)
        FROM (SELECT DISTINCT hashtext(tenant) AS number FROM gone ORDER BY number) AS owner;
    UPDATE rejection_count AS kept SET lines = kept.lines - taken.lines
        FROM (
            SELECT tenant, day, code, coalesce(dimension, 'none') AS dimension, count(*) AS lines
            FROM gone WHERE id <= bound GROUP BY tenant, day, code, coalesce(dimension, 'none')
        ) AS taken
        WHERE kept.tenant = taken.tenant AND kept.day = taken.day
            AND kept.code = taken.code AND kept.dimension = taken.dimension;
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO rejection_count (tenant, day, code, dimension, lines)
            SELECT tenant, day, code, coalesce(dimension, 'none'), count(*)
            FROM come WHERE id <= bound GROUP BY tenant, day, code, coalesce(dimension, 'none')
            ON CONFLICT (tenant, day, code, dimension)
            DO UPDATE SET lines = rejection_count.lines + excluded.lines;
    END IF;
    DELETE FROM rejection_count AS kept USING (SELECT DISTINCT tenant, day FROM gone) AS swept
        WHERE kept.tenant = swept.tenant AND kept.day = swept.day AND kept.lines = 0;
    RETURN NULL;
END
$$""",  # noqa: S608
    """CREATE OR REPLACE TRIGGER rejection_count_delete AFTER DELETE ON rejection
    REFERENCING OLD TABLE AS gone FOR EACH STATEMENT EXECUTE FUNCTION rejection_recount()""",
    """CREATE OR REPLACE TRIGGER rejection_count_update AFTER UPDATE ON rejection
    REFERENCING OLD TABLE AS gone NEW TABLE AS come FOR EACH STATEMENT EXECUTE FUNCTION rejection_recount()""",
)


def triggers() -> Iterator[ExecutableDDLElement]:
    """The statements that make the triggers, each for its database."""
    for dialect, statements in (("sqlite", SQLITE), ("postgresql", POSTGRESQL)):
        yield from (DDL(statement).execute_if(dialect=dialect) for statement in statements)  # type: ignore[no-untyped-call]
