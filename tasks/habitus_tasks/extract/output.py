"""What the assistant had just produced before a message of the person: the last output, as text and as facts."""

import math
from collections.abc import Sequence
from dataclasses import astuple, dataclass, field, fields

from habitus_schema.transcript import ActionKind, Speaker, Turn, TurnKind
from habitus_tasks.extract.code_facts import CodeFacts, code_facts
from habitus_tasks.extract.prose_facts import ProseFacts, prose_facts, split_code

MAX_CHARS = 12_000
"""Characters of one output that are looked at; what follows says nothing new about its form."""


@dataclass(frozen=True, slots=True)
class ActionFacts:
    """What the assistant did through tools since the person last spoke."""

    writes: int = 0
    edits: int = 0
    commands: int = 0
    plans: int = 0
    asks: int = 0
    commits: int = 0
    notes_files: int = 0
    test_files: int = 0
    narrations: int = 0


@dataclass(frozen=True, slots=True, repr=False)
class Output:
    """The last output: `text` for the encoder, `code` for the edit rule, and its facts."""

    text: str = ""
    code: str = ""
    prose: ProseFacts = field(default_factory=ProseFacts)
    coded: CodeFacts = field(default_factory=CodeFacts)
    acts: ActionFacts = field(default_factory=ActionFacts)

    @property
    def empty(self) -> bool:
        """Whether the assistant had produced nothing yet."""
        return not self.text.strip()


def _act_facts(turns: Sequence[Turn]) -> ActionFacts:
    acts = [turn for turn in turns if turn.kind is TurnKind.ACTION]
    names = [act.path.rsplit("/", 1)[-1].lower() for act in acts if act.action is ActionKind.WRITE]
    kinds = [act.action for act in acts]
    commits = sum(act.action is ActionKind.COMMAND and "git commit" in act.text for act in acts)
    spoken = sum(turn.kind is TurnKind.MESSAGE for turn in turns)
    return ActionFacts(
        writes=kinds.count(ActionKind.WRITE),
        edits=kinds.count(ActionKind.EDIT),
        commands=kinds.count(ActionKind.COMMAND),
        plans=kinds.count(ActionKind.PLAN),
        asks=kinds.count(ActionKind.ASK),
        commits=commits,
        notes_files=sum(name.endswith((".md", ".txt", ".rst")) for name in names),
        test_files=sum("test" in name or "spec" in name for name in names),
        narrations=max(0, spoken - 1) if acts else 0,
    )


_VERB = {ActionKind.WRITE: "wrote", ActionKind.EDIT: "edited", ActionKind.COMMAND: "ran", ActionKind.PLAN: "plan:"}


def _rendered(turn: Turn) -> str:
    """One turn as the encoder reads it: an act as a verb, a file name and its content, like a person would note it."""
    text = turn.text[:MAX_CHARS]
    if turn.kind is not TurnKind.ACTION or turn.action is None:
        return text
    name = turn.path.rsplit("/", 1)[-1]
    return f"{_VERB.get(turn.action, '')} {name} {text}".strip()


def looks_like_code(text: str) -> bool:
    """Whether unfenced text is code: it has functions, imports, comments, commands or braces, and little prose."""
    facts = code_facts(text)
    strong = (
        facts.functions + facts.imports + facts.commands + facts.diffs + facts.docstrings + facts.raises + facts.chains
    )
    marks = sum(text.count(mark) for mark in ("{", "}", "();", ");", "= ", "==", "):"))
    return strong + marks >= 2 and facts.lines > 0 and len(text.split()) < 14 * max(1, facts.lines)


def of_text(text: str) -> Output:
    """The output when only its text is known."""
    return of_turns([Turn(Speaker.ASSISTANT, text)]) if text.strip() else Output()


def of_turns(turns: Sequence[Turn]) -> Output:
    """The output made of everything the assistant said and did since the person last spoke."""
    spoken = "\n\n".join(turn.text[:MAX_CHARS] for turn in turns if turn.kind is not TurnKind.ACTION)
    prose, blocks, _ = split_code(spoken)
    acted = [turn.text[:MAX_CHARS] for turn in turns if turn.kind is TurnKind.ACTION]
    code = "\n".join([*blocks, *acted])
    if not code and looks_like_code(prose):
        code = prose
    return Output(
        text="\n".join(_rendered(turn) for turn in turns),
        code=code,
        prose=prose_facts(spoken),
        coded=code_facts(code),
        acts=_act_facts(turns),
    )


WIDTH = len(fields(ProseFacts)) + len(fields(CodeFacts)) + len(fields(ActionFacts)) + 2


def vector(output: Output) -> list[float]:
    """The facts as numbers for the heads: log counts, and whether there was an output and whether it held code."""
    counts = [*astuple(output.prose), *astuple(output.coded), *astuple(output.acts)]
    return [float(not output.empty), float(bool(output.code.strip())), *(math.log1p(count) for count in counts)]
