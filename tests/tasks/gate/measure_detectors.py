"""How many private notes the detectors of others would name, and how many clean ones they would refuse.

    python tests/tasks/gate/measure_detectors.py

Measures whichever of them can be imported; none is a dependency. The figures stand in docs/gate.md.
"""

import importlib
import json
import re
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from habitus_schema.codes import Code
from habitus_tasks.barriers import refusal
from habitus_tasks.gate import Decision, judge

DATA = Path(__file__).parents[2] / "data"
Names = Callable[[str], bool]
_ENTROPY = ("Base64HighEntropyString", "HexHighEntropyString")


def detect_secrets() -> Names:
    """All its plugins but the two of entropy, which return every token of a line whatever their limit."""
    settings = importlib.import_module("detect_secrets.settings")
    plugins = importlib.import_module("detect_secrets.core.plugins.util")
    scan = importlib.import_module("detect_secrets.core.scan")
    classes = plugins.get_mapping_from_secret_type_to_class().values()
    chosen = [{"name": each.__name__} for each in classes if each.__name__ not in _ENTROPY]

    def names(note: str) -> bool:
        with settings.transient_settings({"plugins_used": chosen}):
            return next(iter(scan.scan_line(note)), None) is not None

    return names


def phonenumbers() -> Names:
    """Numbers of telephones, written for any of four countries or for abroad."""
    library = importlib.import_module("phonenumbers")
    return lambda note: any(
        next(iter(library.PhoneNumberMatcher(note, country)), None) is not None for country in ("US", "GB", "DE", "PT")
    )


def scrubadub() -> Names:
    """Its default detectors."""
    scrubber = importlib.import_module("scrubadub").Scrubber()
    return lambda note: next(iter(scrubber.iter_filth(note)), None) is not None


def presidio() -> Names:
    """The pattern recognisers of Presidio, without a language model."""
    library = importlib.import_module("presidio_analyzer.predefined_recognizers")
    base = importlib.import_module("presidio_analyzer").PatternRecognizer
    found = [
        each()
        for each in vars(library).values()
        if isinstance(each, type) and issubclass(each, base) and each is not base
    ]
    return lambda note: any(
        result.score >= 0.4 for each in found for result in each.analyze(note, each.supported_entities, None)
    )


def original() -> Names:
    """The five kinds of pattern of the first description: addresses, URLs, paths, telephones, keys."""
    pattern = re.compile(
        r"[\w.+-]+@[\w-]+\.[\w.]+|https?://\S+|(?:/[\w.-]+){2,}|\+?\d[\d\s()-]{8,}\d|\b(?:sk|pk)-[A-Za-z0-9]{16,}"
    )
    return lambda note: pattern.search(note) is not None


def gate() -> Names:
    """Ours."""
    return lambda note: refusal(note) is not None


def gate_by_name() -> Names:
    """Ours, when it names a kind and not just an unlisted word."""
    return lambda note: (found := refusal(note)) is not None and found[0] is not Code.FREE_TEXT


CANDIDATES = (original, detect_secrets, phonenumbers, scrubadub, presidio, gate_by_name, gate)


def notes() -> Iterator[tuple[str, bool]]:
    """(note, whether it is private) of the labelled sets."""
    for name in ("gate_dev", "gate_own", "gate_other"):
        for line in (DATA / f"{name}.jsonl").read_text("utf-8").splitlines():
            row = json.loads(line)
            note = row["source_justification_note"]
            pair = row["dimension_key"], row["dimension_value"], row["observed_across_distinct_contexts"]
            if isinstance(note, str) and judge(*pair, None).verdict is not Decision.REJECTED:
                yield note, row["verdict"] == "rejected"


def main() -> None:
    """Prints one line for each."""
    every = list(notes())
    private, clean = [n for n, p in every if p], [n for n, p in every if not p]
    unnamed = [note for note in private if (found := refusal(note)) is not None and found[0] is Code.FREE_TEXT]
    print(
        f"{len(private)} private notes, {len(clean)} clean ones; share refused, what ours gives no name, notes a second"
    )
    for make in CANDIDATES:
        try:
            names = make()
        except ImportError:
            print(f"{make.__name__}: not installed")
            continue
        since = time.process_time()
        caught, wrong = sum(map(names, private)), sum(map(names, clean))
        more = sum(map(names, unnamed))
        speed = len(every) / (time.process_time() - since)
        shares = f"{caught / len(private):.3f} private, {wrong / len(clean):.3f} clean"
        print(f"{make.__name__}: {shares}, {more} of {len(unnamed)} unnamed, {speed:,.0f}/s")


if __name__ == "__main__":
    sys.exit(main())
