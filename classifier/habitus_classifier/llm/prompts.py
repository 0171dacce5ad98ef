"""What each module is asked. Independent by what they are shown, and no ranking is ever given as an example.

An example ranking decides the answer of a small model (measured), so the form is described in words alone.
"""

from dataclasses import dataclass

from habitus_classifier.policy import Module

QUERY_HEAD, QUERY_TAIL = 4000, 2000
"""Characters of a query that a model is shown: its start, and its end, where people ask what they want."""
POLICIES = (
    "You judge how something known about a person bears on their next request to an assistant. Three policies:\n"
    "A, ignore: the answer has no room for it, or the request asks for something else.\n"
    "B, support: it shapes the answer in passing; the request is not about it.\n"
    "C, drive: the request is about the very thing it governs, so the answer is built around it."
)
"""What the letters mean, in every question."""
_RANK = "Rank all three, the most fitting first."
_FORM = (
    'Answer with one JSON object and nothing else. Its key "ranking" holds the three letters, most fitting first, '
    "as one string."
)
_INTENT_FORM = (
    _FORM + ' Its key "conflict" is "query" when the request itself asks for the opposite, "recipient" when the answer '
    'goes to somebody for whom the preference is wrong, "medium" when it goes where the preference cannot be '
    'followed, and "none" otherwise.'
)
_STRICTER = (
    "Earlier, everything known about this person came out as C for this request, which is hardly ever right. Be "
    "strict: C only when the request would make no sense without it, B when it merely helps, A whenever you doubt."
)
_QUESTIONS = {
    Module.MLE: (
        "Kind of preference: {area}\nThink of most people who send this request. How would they want an assistant to "
        "treat their preferences of this kind?"
    ),
    Module.CPE_RECALL: (
        "Subject of a preference: {subject}\nDoes this request bring this subject to mind, and how strongly?"
    ),
    Module.CPE_INTENT: (
        "The preference: {statement}\nThe answer is for: {recipient}\nIt is shown in: {medium}\n"
        "Does what the person intends with this request agree with the preference, leave it open, or rule it out?"
    ),
}
SPLITTING = (
    "You are given what is known of a person: a statement, or a conversation that shows it. Split it into separate "
    "preferences, each about one thing only; leave a single one whole and change no meaning. Answer with one JSON "
    'object and nothing else. Its key "preferences" is a list of objects with "statement" (the preference in the same '
    'language), "subject" (what it is about, in a few words, without whether it is liked) and "area" (the field of '
    "life it belongs to, in one or two words)."
)
"""How a preference in free text is prepared."""


@dataclass(frozen=True, slots=True, repr=False)
class Item:
    """One preference as the modules see it: MLE its area, CPE-Recall its subject, CPE-Intent its statement."""

    area: str
    subject: str
    statement: str
    recipient: str = "the person"
    medium: str = "the chat"


def shown(query: str) -> str:
    """The part of a query that is sent."""
    if len(query) <= QUERY_HEAD + QUERY_TAIL:
        return query
    return f"{query[:QUERY_HEAD]}\n[...]\n{query[-QUERY_TAIL:]}"


def messages(module: Module, query: str, item: Item, strict: bool = False) -> list[dict[str, str]]:
    """The conversation for one module. What a module may not see is not in it."""
    form = _INTENT_FORM if module is Module.CPE_INTENT else _FORM
    system = "\n\n".join([POLICIES, _RANK, _STRICTER, form] if strict else [POLICIES, _RANK, form])
    question = _QUESTIONS[module].format(
        area=item.area, subject=item.subject, statement=item.statement, recipient=item.recipient, medium=item.medium
    )
    return [
        {"role": "system", "content": system},
        {"role": "user", "content": f"Request, between the lines:\n---\n{shown(query)}\n---\n{question}"},
    ]


def splitting(preference: str) -> list[dict[str, str]]:
    """The conversation that splits a preference."""
    return [{"role": "system", "content": SPLITTING}, {"role": "user", "content": shown(preference)}]
