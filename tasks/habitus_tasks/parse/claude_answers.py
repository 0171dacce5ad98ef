"""What a person typed in answer to a question that Claude Code put as a choice (AskUserQuestion).

The options are the assistant's words; picking one says nothing in the person's own. An answer that is none of them
was typed.
"""

from collections.abc import Iterator, Mapping

from habitus_tasks.parse.jsonio import as_list, as_map, as_text
from habitus_tasks.parse.words import own_text


def typed_answers(outcome: Mapping[str, object]) -> Iterator[str]:
    """The answers in a call's ``toolUseResult`` that are not made of the offered options."""
    questions = [as_map(question) for question in as_list(outcome.get("questions"))]
    options = [as_map(option) for question in questions for option in as_list(question.get("options"))]
    offered = {as_text(option.get("label")) for option in options}
    for answer in as_map(outcome.get("answers")).values():
        text = as_text(answer)
        if text not in offered and not all(part.strip() in offered for part in text.split(",")):
            yield own_text(text)
