"""A report as Markdown, or as one HTML file that needs nothing else."""

from collections.abc import Iterator
from html import escape
from pathlib import Path

from habitus_schema.errors import HabitusError, UsageError
from habitus_worker.report.gather import Report, Section

_STYLE = """
:root { color-scheme: light dark; }
body { font: 1rem/1.5 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; } div { overflow-x: auto; }
th, td { text-align: left; padding: .3rem .6rem; border-bottom: 1px solid #8a95a1; vertical-align: top; }
.bad { border-left: 4px solid #a61b1b; padding-left: .8rem; }
"""


def write(report: Report, out: Path) -> str | None:
    """Writes the report to `out` by the ending of its name; for ``-`` returns the Markdown instead.

    Raises:
        UsageError: for another ending.
        HabitusError: when the file cannot be written.
    """
    if str(out) == "-":
        return markdown(report)
    if out.suffix not in (".html", ".md"):
        raise UsageError("a report is a .html or a .md file")
    text = html(report) if out.suffix == ".html" else markdown(report)
    try:
        out.write_text(text, "utf-8")
    except OSError:
        raise HabitusError(f"cannot write {out}: choose another place with --out") from None
    return None


def markdown(report: Report) -> str:
    """The report as Markdown."""
    return "\n".join([f"# {_title(report)}", "", _summary(report), "", *_markdown(report)])


def _markdown(report: Report) -> Iterator[str]:
    for section in report.sections:
        yield from (f"## {section.title}", "", f"{section.note}{'' if section.good else ' **Bad news.**'}", "")
        if section.rows:
            yield f"| {' | '.join(section.columns)} |"
            yield f"|{'---|' * len(section.columns)}"
            yield from (f"| {' | '.join(map(_cell, row))} |" for row in section.rows)
            yield ""


def html(report: Report) -> str:
    """The report as one HTML file."""
    title = escape(_title(report))
    body = "".join(_section(section) for section in report.sections)
    return (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8">'
        '<meta name="viewport" content="width=device-width, initial-scale=1">'
        f"<title>{title}</title><style>{_STYLE}</style></head>\n"
        f"<body><main><h1>{title}</h1>\n<p>{escape(_summary(report))}</p>\n{body}</main></body></html>\n"
    )


def _section(section: Section) -> str:
    head = "".join(f'<th scope="col">{escape(name)}</th>' for name in section.columns)
    rows = "".join(f"<tr>{''.join(f'<td>{escape(_cell(each))}</td>' for each in row)}</tr>\n" for row in section.rows)
    table = f"<div><table><thead><tr>{head}</tr></thead>\n<tbody>{rows}</tbody></table></div>" if rows else ""
    bad = "" if section.good else ' class="bad"'
    return f"<section{bad}><h2>{escape(section.title)}</h2>\n<p>{escape(section.note)}</p>\n{table}</section>\n"


def _cell(value: object) -> str:
    return f"{value:,}" if isinstance(value, int) else str(value)


def _title(report: Report) -> str:
    return f"habitus report, {report.since} to {report.made}"


def _summary(report: Report) -> str:
    verdict = "Every check of this report came out well." if report.good else "A check of this report has bad news."
    return f"Of {report.scope}. {verdict} It holds counts, days, closed words and names of keys, and nobody's text."
