"""What of a message repeats the assistant's output: a version handed back, for the edit rule, and sentences quoted."""

import re
from collections.abc import Iterable, Iterator

from habitus_schema.pairs import Pair
from habitus_tasks.extract.canonical import prose_words
from habitus_tasks.extract.edits import structural_difference
from habitus_tasks.extract.prose_facts import split_code

MAX_CHARS = 6_000
MAX_PARTS = 6
SHARED = 0.5
"""Share of common words under which two texts are no versions of one another: spares the comparison."""

LEAST_WORDS, LEAST_SIGNS = 3, 8
"""Words, or signs of a script without spaces, from which a sentence is not the same as another by chance."""
ECHO_OUTPUTS, ECHO_CHARS, ECHO_SENTENCES = 20, 20_000, 100
"""Of a session, how many outputs back, and how much of each, and of a message how many sentences are compared."""
_SENTENCES = re.compile(r"([.!?。！？\n]+\s*)")
_BEGINS, _ENDS = re.compile(r"(?:^|[.!?:。！？\n])[\s*_>#`\"'-]*$"), re.compile(r"[\s*_`\"']*(?:$|[.!?。！？\n])")


def without_echo(prose: str, outputs: Iterable[str]) -> str:
    """A message's prose without the sentences that stand just so in an earlier output: they are the assistant's own."""
    pieces = _SENTENCES.split(prose, ECHO_SENTENCES)
    ended = zip(pieces[::2], [*pieces[1::2], ""], strict=True)
    return "".join(sentence + end for sentence, end in ended if not _is_echo(sentence.strip(), outputs))


def _is_echo(sentence: str, outputs: Iterable[str]) -> bool:
    if len(sentence.split()) < LEAST_WORDS and len(sentence.encode()) < 3 * LEAST_SIGNS:
        return False
    for output in outputs:
        at = output.find(sentence)
        # Only the nearest signs are looked at: an output can be long.
        if at >= 0 and _BEGINS.search(output[max(0, at - 40) : at]) and _ENDS.match(output[at + len(sentence) :][:20]):
            return True
    return False


def _parts(text: str) -> Iterator[str]:
    """Parts of a message that may be a version: its fenced blocks, or what follows or precedes a remark of one line."""
    _, blocks, _ = split_code(text)
    if blocks:
        yield from blocks
        yield text
        return
    lines = text.split("\n")
    yield text
    if len(lines) > 1:
        yield "\n".join(lines[1:])
        yield "\n".join(lines[:-1])
    head, colon, rest = text.partition(": ")
    if colon and len(head) < 80:
        yield rest


def _outputs(text: str) -> Iterator[str]:
    prose, blocks, _ = split_code(text)
    yield from blocks
    yield text
    if blocks:
        yield prose


def _shared(part: str, proposed: str) -> float:
    """Share of the words of the shorter text that the other has too."""
    one, other = set(prose_words(part)), set(prose_words(proposed))
    return len(one & other) / max(1, min(len(one), len(other)))


def handed_back(text: str, outputs: list[str]) -> frozenset[Pair]:
    """The pairs that a version of one of the outputs, handed back in `text`, asks for; empty when there is none."""
    theirs = [part for output in outputs for part in _outputs(output[:MAX_CHARS])][: 2 * MAX_PARTS]
    for part in [piece for piece in _parts(text[:MAX_CHARS]) if len(piece) > 8][:MAX_PARTS]:
        for proposed in theirs:
            if 0.3 < len(part) / max(1, len(proposed)) < 3 and _shared(part, proposed) > SHARED:
                found = structural_difference(proposed, part)
                if found:
                    return found
    return frozenset()
