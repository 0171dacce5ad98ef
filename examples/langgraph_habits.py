"""A LangGraph graph whose first node asks habitus which habits of the person apply to the question.

pip install 'habitus[llm]' langgraph
OPENAI_BASE_URL=http://127.0.0.1:8080/v1 python examples/langgraph_habits.py "train or plane to Rome?"
"""

import asyncio
import os
import sys
from typing import Any, TypedDict

import httpx
from langgraph.graph import END, START, StateGraph

from habitus_classifier import decide_async
from habitus_schema.pairs import Pair

# What `habitus profile export --user ada` gives; `habitus_classifier.profile.Reader` reads it where it is stored.
PROFILE = [
    Pair(dimension="table_usage", value="prefer"),
    Pair(dimension="code_delivery", value="full_file"),
]


class State(TypedDict, total=False):
    """What the nodes hand on."""

    query: str
    lines: str
    answer: str


async def recall(state: State) -> State:
    """The lines that apply; empty when none does."""
    return {"lines": (await decide_async(state["query"], PROFILE)).prompt}


async def answer(state: State) -> State:
    """The model's answer. Any chat model of yours may stand here."""
    system = [{"role": "system", "content": state["lines"]}] if state["lines"] else []
    async with httpx.AsyncClient(timeout=60) as client:
        response = await client.post(
            f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
            headers={"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"},
            json={
                "model": os.environ.get("OPENAI_MODEL", "default"),
                "messages": [*system, {"role": "user", "content": state["query"]}],
            },
        )
    response.raise_for_status()
    return {"answer": response.json()["choices"][0]["message"]["content"]}


def graph() -> Any:
    """recall, then answer."""
    builder = StateGraph(State)
    builder.add_node("recall", recall)
    builder.add_node("answer", answer)
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "answer")
    builder.add_edge("answer", END)
    return builder.compile()


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('usage: python examples/langgraph_habits.py "your question"')
    found = asyncio.run(graph().ainvoke({"query": sys.argv[1]}))
    sys.stdout.write(f"{found['answer']}\n")
