"""What every command starts from: the settings, read once and only when a command needs them."""

from functools import cached_property
from pathlib import Path
from typing import Any

from habitus_schema.ids import IdKey, IdKeys
from habitus_worker.settings import Settings, choose_config, read_settings


class State:
    """The flags before the command's name, and what follows from them."""

    def __init__(self, config: Path | None, **flags: Any) -> None:
        self._config = config
        self._flags = flags

    @cached_property
    def settings(self) -> Settings:
        """The settings in force. Raises UsageError."""
        choose_config(self._config)
        return read_settings(**self._flags)

    def with_flags(self, **flags: Any) -> Settings:
        """The settings, with more flags over them."""
        choose_config(self._config)
        return read_settings(**{**self._flags, **{name: value for name, value in flags.items() if value is not None}})

    @cached_property
    def id_key(self) -> IdKeys:
        """The deployment's key for ids; for commands without a deployment, a fresh one that dies with the process."""
        from habitus_worker.keys import load_keys

        return load_keys(self.settings.keys).ids if self.settings.keys.exists() else IdKey.generate("once")

    @classmethod
    def of(cls, settings: Settings) -> "State":
        """A state over settings that are made already."""
        state = cls(None)
        state.__dict__["settings"] = settings
        return state
