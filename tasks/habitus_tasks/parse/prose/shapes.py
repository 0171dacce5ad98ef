"""The shapes of lines that documents are made of."""

import re

LIST_ITEM = re.compile(r"\s*(?:[-*+•·–]\s+|\d{1,3}[.)]\s+|[a-z][.)]\s+|\[[ x]\]\s+)")
"""A point of a list."""
HEADING = re.compile(r"\s*#{1,6}\s+\S")
"""A heading in Markdown."""
KEYED = re.compile(r"\s*[\w .\"'-]{1,40}:(?:\s|\Z)")
"""A key with its value, or a speaker with what they say."""
QUOTING = "\"'“«„「<[>|"
"""How a quoted or marked-up line begins."""
