"""A preference: one (dimension, value) pair of the closed vocabulary. The first of its three locks."""

from pydantic import BaseModel, ConfigDict, field_validator, model_validator

from habitus_schema.vocabulary import VALUES, Dimension

_ALLOWED = {dimension: frozenset(str(value) for value in values) for dimension, values in VALUES.items()}

CLOSED = ConfigDict(frozen=True, extra="forbid", hide_input_in_errors=True)
"""Every model of ours is frozen, knows its fields, and never echoes a rejected input (invariant 2)."""


class Pair(BaseModel):
    """One preference. Exact spelling only: no trimming, no case folding, no aliases.

    Raises:
        pydantic.ValidationError: without the input, when the pair is not in the catalog.
    """

    model_config = CLOSED

    dimension: Dimension
    value: str

    @field_validator("dimension", mode="before")
    @classmethod
    def _dimension_is_text(cls, dimension: object) -> object:
        if not isinstance(dimension, str):
            raise ValueError("a dimension is text")
        return dimension

    @field_validator("value", mode="before")
    @classmethod
    def _value_is_text(cls, value: object) -> object:
        if not isinstance(value, str):
            raise ValueError("a value is text")
        return str(value)

    @model_validator(mode="after")
    def _value_belongs_to_the_dimension(self) -> "Pair":
        if self.value not in _ALLOWED[self.dimension]:
            raise ValueError("not a value of this dimension")
        return self

    def __str__(self) -> str:
        return f"{self.dimension}={self.value}"
