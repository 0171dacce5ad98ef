"""A real small model reads sessions: what the endpoint stand-in cannot show, that the plumbing holds. It finds little.

Opt-in (`live_model` says what it needs): ``pytest -m live tests/tasks/extract_llm``.
"""

import json
import time
from pathlib import Path

import pytest
from live_model import live_model

from habitus_schema.models import Extraction
from habitus_schema.transcript import Format, Transcript
from habitus_tasks.extract_llm.config import LlmConfig
from habitus_tasks.extract_llm.extractor import LlmExtractor
from habitus_tasks.extract_llm.faults import Fault
from habitus_tasks.gate import admit
from habitus_tasks.parse import read_session

pytestmark = [pytest.mark.live, pytest.mark.timeout(3600)]
DEV = Path(__file__).parents[2] / "data" / "extraction_dev.jsonl"
SESSIONS = 6


def _sessions() -> list[Transcript]:
    rows = [json.loads(line) for line in DEV.read_text("utf-8").splitlines()[:SESSIONS]]
    return [read_session(row["session"], Format(row["format"])) for row in rows]


def test_a_small_model_answers_in_a_form_that_can_be_read(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    faults: list[Fault] = []
    with live_model(tmp_path) as url:
        config = LlmConfig(url, "gemma", request_seconds=300, session_seconds=900, attempts=2, answer_tokens=400)
        extractor = LlmExtractor(config, fallback=lambda _: Extraction(), report=faults.append)
        begin = time.monotonic()
        read = [(each, extractor(each)) for each in _sessions()]
        seconds = time.monotonic() - begin
        extractor.close()
    candidates = [(each, transcript) for transcript, found in read for each in found.candidates]
    refused = [line.code.name for _, found in read for line in found.rejections]
    with capsys.disabled():
        print(  # noqa: T201 - the result, for docs/extraction.md
            f"\n{len(read)} sessions in {seconds:.0f} s, {len(candidates)} candidates, "
            f"refused {refused}, faults {faults}"
        )
    assert len(faults) <= len(read) / 2
    assert all(admit(each, transcript) is None for each, transcript in candidates)
