"""An agent of the OpenAI Agents SDK whose instructions hold the habits of the person that apply to the question.

pip install habitus openai-agents
OPENAI_BASE_URL=http://127.0.0.1:8080/v1 python examples/openai_agents_habits.py "train or plane to Rome?"
"""

import asyncio
import os
import sys

from agents import Agent, OpenAIChatCompletionsModel, RunContextWrapper, Runner, set_tracing_disabled
from openai import AsyncOpenAI

from habitus_classifier import decide_async
from habitus_schema.pairs import Pair

# What `habitus profile export --user ada` gives; `habitus_classifier.profile.Reader` reads it where it is stored.
PROFILE = [
    Pair(dimension="table_usage", value="prefer"),
    Pair(dimension="code_delivery", value="full_file"),
]
ROLE = "You are a helpful assistant."


async def instructions(context: RunContextWrapper[str], agent: Agent[str]) -> str:
    """The agent's role, which stays the same for a provider's cache, then the habits that apply to this question."""
    lines = (await decide_async(context.context, PROFILE)).prompt
    return f"{ROLE}\n\n{lines}" if lines else ROLE


async def ask(query: str) -> str:
    """The agent's answer. The question goes to it word for word."""
    client = AsyncOpenAI(base_url=os.environ["OPENAI_BASE_URL"], api_key=os.environ.get("OPENAI_API_KEY", "none"))
    model = OpenAIChatCompletionsModel(os.environ.get("OPENAI_MODEL", "default"), openai_client=client)
    agent = Agent[str](name="assistant", instructions=instructions, model=model)
    return str((await Runner.run(agent, query, context=query)).final_output)


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit('usage: python examples/openai_agents_habits.py "your question"')
    set_tracing_disabled(True)  # it would send the conversation away
    sys.stdout.write(f"{asyncio.run(ask(sys.argv[1]))}\n")
