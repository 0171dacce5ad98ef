"""Ask a model over plain HTTP, told the habits of the person that apply to the question.

pip install 'habitus[llm]'
OPENAI_BASE_URL=http://127.0.0.1:8080/v1 python examples/plain_httpx.py "train or plane to Rome?"
"""

import os
import sys

import httpx

from habitus_classifier import decide
from habitus_schema.pairs import Pair

# What `habitus profile export --user ada` gives; `habitus_classifier.profile.Reader` reads it where it is stored.
PROFILE = [
    Pair(dimension="table_usage", value="prefer"),
    Pair(dimension="code_delivery", value="full_file"),
]


def ask(query: str) -> str:
    """The model's answer. The question goes to it word for word; the habits, if any apply, before it."""
    lines = decide(query, PROFILE).prompt
    messages = [{"role": "system", "content": lines}] if lines else []
    response = httpx.post(
        f"{os.environ['OPENAI_BASE_URL']}/chat/completions",
        headers={"Authorization": f"Bearer {os.environ.get('OPENAI_API_KEY', 'none')}"},
        json={
            "model": os.environ.get("OPENAI_MODEL", "default"),
            "messages": [*messages, {"role": "user", "content": query}],
        },
        timeout=60,
    )
    response.raise_for_status()
    return str(response.json()["choices"][0]["message"]["content"])


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('usage: python examples/plain_httpx.py "your question"')
    sys.stdout.write(f"{ask(sys.argv[1])}\n")
