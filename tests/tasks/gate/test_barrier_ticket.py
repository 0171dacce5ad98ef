"""`ticket`: a note with a ticket number is refused."""

import pytest

from habitus_tasks.barriers.ticket import BARRIER

CAUGHT = [
    "LEDG-3621",
    "CLAIM-8845",
    "A1-22",
    "ticket 43110",
    "case no. 2023/566",
    "PR #4680",
    "issue #12",
    "order 123456",
    "invoice number 123",
    "#8610866539",
    "!5211",
    "MR !4",
    "claim no 7",
    "customer no. 123",
    "ref 123",
    "policy AB123",
    "bug #1",
    "case nr 123",
    "case num 123",
    "case id 123",
    "ticket #1",
    "pr #1",
    "incident #1",
    "matter #1",
    "docket #1",
    "invoice #1",
    "bug nr 1",
]
LEFT_ALONE = [
    "UTF-8",
    "ISO-8601",
    "SHA-256",
    "PEP-8",
    "RFC-2119",
    "step-3",
    "#1 priority",
    "wow!",
    "exit code 404",
    "case 3",
    "order 2 of 3",
    "issue 12",
    "PR template",
    "in case 12",
    "!5",
    "C#100",
    "done!12",
]
LEFT_ALONE += [
    f"as in {word}-2"
    for word in (
        "UTF ISO SHA RFC PEP AES RSA GPT IEEE EN DIN ES HTTP TLS IPV BASE CP UCS MD PY ECMA POSIX WCAG AP CSS "
        "HTML UTC GMT WEEK STEP TOP PART LEVEL OPTION"
    ).split()
]


@pytest.mark.parametrize("text", CAUGHT)
def test_ticket_catches_a_ticket_number(text: str) -> None:
    assert BARRIER.refuses(text)


@pytest.mark.parametrize("text", LEFT_ALONE)
def test_ticket_leaves_a_near_miss_alone(text: str) -> None:
    assert not BARRIER.refuses(text)
