"""Writes ``vocabulary.py`` from ``catalog.toml``: ``python -m habitus_schema.generate``.

The enums exist as source so that a type checker and an editor know every name; the catalog stays the one place
where a person edits. ``tests/schema/test_vocabulary.py`` fails when the two differ.
"""

import tomllib
from pathlib import Path

HERE = Path(__file__).parent
HEADER = '''"""The closed vocabulary as enums. Generated from catalog.toml by ``python -m habitus_schema.generate``."""

from enum import StrEnum
from types import MappingProxyType
'''


def _class_name(dimension: str) -> str:
    return "".join(word.capitalize() for word in dimension.split("_"))


def _member_name(value: str) -> str:
    return f"V{value}" if value[0].isdigit() else value.upper()


def _enum(name: str, doc: str, values: list[str]) -> str:
    members = "\n".join(f'    {_member_name(value)} = "{value}"' for value in values)
    return f'class {name}(StrEnum):\n    """{doc}"""\n\n{members}\n'


def render() -> str:
    """The text that ``vocabulary.py`` must have for the catalog as it is."""
    dimensions = tomllib.loads((HERE / "catalog.toml").read_text("utf-8"))["dimensions"]
    blocks = [HEADER, _enum("Dimension", "What a preference is about.", list(dimensions))]
    blocks += [
        _enum(_class_name(name), f"Values of ``{name}``.", list(entry["values"])) for name, entry in dimensions.items()
    ]
    rows = "\n".join(f"        Dimension.{name.upper()}: {_class_name(name)}," for name in dimensions)
    blocks.append(
        "VALUES: MappingProxyType[Dimension, type[StrEnum]] = MappingProxyType(\n    {\n" + rows + "\n    }\n)\n"
    )
    return "\n\n".join(blocks)


if __name__ == "__main__":
    (HERE / "vocabulary.py").write_text(render(), "utf-8")
