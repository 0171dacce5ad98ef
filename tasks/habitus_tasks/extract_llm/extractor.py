"""The LLM extractor: asks about a session, and hands it to the embedded extractor when the endpoint does not help."""

import time
from collections.abc import Callable, Sequence

from billiard.exceptions import SoftTimeLimitExceeded

from habitus_schema.codes import Code
from habitus_schema.models import Extraction, Rejection
from habitus_schema.transcript import Transcript
from habitus_tasks.extract import extract
from habitus_tasks.extract.own import own_turns
from habitus_tasks.extract_llm.answer import Finding
from habitus_tasks.extract_llm.client import Allowance, LlmClient
from habitus_tasks.extract_llm.config import LlmConfig
from habitus_tasks.extract_llm.faults import Fault, LlmError
from habitus_tasks.extract_llm.limits import Breaker, tokens_of
from habitus_tasks.extract_llm.mask import Mask
from habitus_tasks.extract_llm.notes import Passed, Refused, gated
from habitus_tasks.extract_llm.portions import Portion, entries_of, portions_of
from habitus_tasks.extract_llm.prompt import once_more, question, system
from habitus_tasks.extract_llm.weighing import weighed
from habitus_tasks.pipeline import Extractor

Report = Callable[[Fault], None]
MALFORMED = Rejection(code=Code.FREE_TEXT, detector="schema")
"""For a finding that is not of the form that was asked for."""


class LlmExtractor:
    """From a transcript to candidates, by an LLM. Safe between threads; keep one for the process.

    Args:
        fallback: reads a session when the endpoint failed on it, or too often just before.
        report: told why, in a closed word, each time the fallback has to.
    """

    def __init__(self, config: LlmConfig, fallback: Extractor = extract, report: Report = lambda _: None) -> None:
        self._config, self._fallback, self._report = config, fallback, report
        self._client = LlmClient(config)
        self._breaker = Breaker(config.breaker_failures, config.breaker_seconds)

    def __call__(self, transcript: Transcript) -> Extraction:
        """The pairs that one session gives evidence for, and what was turned down.

        Raises:
            SoftTimeLimitExceeded, MemoryError: as they come.
        """
        if not self._breaker.allows():
            return self._without(Fault.CIRCUIT_OPEN, transcript)
        try:
            extraction = self._asked(transcript)
        except LlmError as error:
            fault = error.fault
        except (SoftTimeLimitExceeded, MemoryError) as error:
            raise type(error)() from None  # the session's time is over: to read it once more would be killed midway
        except Exception:  # noqa: BLE001 - whatever it is, the embedded extractor reads the session; its text could leak
            fault = Fault.INTERNAL
        else:
            self._breaker.succeeded()
            return extraction
        self._breaker.failed()
        return self._without(fault, transcript)

    def close(self) -> None:
        """Closes the connection."""
        self._client.close()

    def _without(self, fault: Fault, transcript: Transcript) -> Extraction:
        self._report(fault)
        return self._fallback(transcript)

    def _asked(self, transcript: Transcript) -> Extraction:
        config = self._config
        owns, mask = own_turns(transcript.turns), Mask(config.masking)
        overhead = tokens_of(system()) + config.answer_tokens
        allowance = Allowance(time.monotonic() + config.session_seconds, config.session_tokens)
        entries = entries_of(owns, mask, config.session_tokens)
        portions = portions_of(entries, config.window_tokens, config.session_tokens, overhead)
        found: dict[int, list[Passed]] = {}
        rejections: list[Rejection] = []
        for portion in reversed(portions):  # the latest first: where tokens end early, it is the start that is not read
            if allowance.tokens <= 0:
                break
            passed, refused = self._findings(portion, allowance)
            rejections += refused
            for each in passed:
                found.setdefault(portion.own[each.finding.message].index, []).append(each)
        return weighed(owns, found, mask, rejections)

    def _findings(self, portion: Portion, allowance: Allowance) -> tuple[list[Passed], list[Rejection]]:
        """What passes the gate of one portion's findings, and a line for each that does not."""
        asked = question(portion)
        answer, text = self._client.ask(asked, allowance)
        passed, refused = gated(_citing(portion, answer.findings))
        mendable = [each for each in refused if each.mendable]
        rejections = [each.rejection for each in refused if not each.mendable] + [MALFORMED] * answer.malformed
        if mendable and allowance.tokens > portion.tokens + tokens_of(asked.system):
            again, _ = self._client.ask(asked.continued(text, once_more(mendable)), allowance)
            wanted = {each.finding.key: each for each in mendable}
            better, _worse = gated(finding for finding in again.findings if finding.key in wanted)
            passed += [_mended(wanted.pop(each.finding.key), each) for each in better if each.finding.key in wanted]
            mendable = list(wanted.values())
        return passed, rejections + [each.rejection for each in mendable]


def _mended(refused: Refused, better: Passed) -> Passed:
    """The finding as it was first reported, since only its note was in question."""
    return Passed(better.pair, refused.finding)


def _citing(portion: Portion, findings: Sequence[Finding]) -> list[Finding]:
    """Those that cite a message of the person's in this portion, once for each pair and message."""
    own = portion.own
    return list({finding.key: finding for finding in findings if finding.message in own}.values())
