"""Settings: from the environment (``HABITUS_*``), over them a TOML file, over both the flags of a command.

The order is the contract's ("in that order of weakness"). `habitus config` prints them with secrets masked.
"""

from pathlib import Path
from typing import Annotated, Any, Self

from pydantic import AfterValidator, Field, SecretStr, ValidationError, model_validator
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource, SettingsConfigDict, TomlConfigSettingsSource

from habitus_schema.errors import UsageError
from habitus_worker.llm_settings import LlmSettings
from habitus_worker.redis_address import check_redis_url

DAY_SECONDS = 86_400


def default_home() -> Path:
    """Where an embedded stack keeps its files: XDG's data folder."""
    return Path.home() / ".local" / "share" / "habitus"


def _home(given: Path) -> Path:
    # Absolute, since it becomes part of URLs.
    try:
        return given.expanduser().absolute()
    except RuntimeError:
        raise ValueError("~ names a user whose home folder is not known") from None


def _redis_url(url: SecretStr) -> SecretStr:
    if url.get_secret_value():
        check_redis_url(url.get_secret_value())
    return url


def _broker_url(url: SecretStr) -> SecretStr:
    return url if url.get_secret_value().startswith(("amqp://", "amqps://")) else _redis_url(url)


class Settings(LlmSettings):
    """Everything that can be set. An empty `redis_url` or `database_url` means the embedded one in `home`."""

    model_config = SettingsConfigDict(env_prefix="HABITUS_", extra="forbid", frozen=True, hide_input_in_errors=True)

    home: Annotated[Path, AfterValidator(_home)] = Field(default_factory=default_home)
    redis_url: Annotated[SecretStr, AfterValidator(_redis_url)] = SecretStr("")
    broker_url: Annotated[SecretStr, AfterValidator(_broker_url)] = SecretStr("")
    """Where the queues are, when not on the ledger's Redis: RabbitMQ (`amqp://`, `amqps://`), or another Redis."""
    database_url: SecretStr = SecretStr("")
    key_file: Path | None = None
    id_key_file: Path | None = None
    """A record worker's key file, once there was a second id key; without it, `key_file` is used where there is one."""
    token_file: Path | None = None
    """The tokens of `habitus serve`, as keyed hashes; `tokens.json` in `home` without it."""
    tenant: str = "default"
    k: Annotated[int, Field(ge=2)] = 2
    """Distinct task contexts that make a habit. Below 2 is refused (invariant 5)."""
    window_days: Annotated[int, Field(ge=1)] = 180
    attempts: Annotated[int, Field(ge=1)] = 3
    """How often a session is tried before it becomes a dead letter."""
    payload_ttl: Annotated[int, Field(ge=60)] = 7 * DAY_SECONDS
    """Seconds a sealed session lives on Redis: longer than all retries together."""
    max_session_bytes: Annotated[int, Field(ge=1024)] = 64 * 1024 * 1024
    max_backlog: Annotated[int, Field(ge=1)] = 100_000
    """Sessions in flight from which on new ones are refused (HTTP 429) instead of filling Redis."""
    live_sessions: Annotated[int, Field(ge=1)] = 16
    """A tenant's sessions in the live lane; what it hands in beyond them goes with the backfills."""
    backfill_sessions: Annotated[int, Field(ge=1)] = 64
    """A tenant's sessions of a backfill with the broker at once; the others wait their turn."""
    decision_share: Annotated[float, Field(ge=0, le=1)] = 0.1
    """Of all queries decided for a stored profile, how many the decision log counts. 0 switches it off."""
    decision_days: Annotated[int, Field(ge=1)] = 30
    """How long the counts of a day are kept."""
    log_days: Annotated[int, Field(ge=1)] | None = None
    """How long a line of the rejection log is kept; for ever when it is not set."""
    evidence_days: Annotated[int, Field(ge=1)] | None = None
    """How long an observation is kept, not less than `window_days`; for ever when it is not set."""
    concurrency: Annotated[int, Field(ge=1)] = 1
    task_seconds: Annotated[int, Field(ge=1)] = 120
    """Hard time limit of one task; the soft limit is ten seconds less, at least half."""
    visibility_timeout: Annotated[int, Field(ge=1)] = 300
    """Seconds after which Redis hands an unfinished task to another worker; more than `task_seconds`."""
    sweep_seconds: Annotated[int, Field(ge=1)] = 30
    """How often a worker looks for sessions whose task was lost before it reached the queue, and into the spool."""
    resend_seconds: Annotated[int, Field(ge=1)] = 600
    """After which a task that was sent, and not heard of since, is sent again; more than `visibility_timeout`."""
    spool_seconds: Annotated[int, Field(ge=1)] = DAY_SECONDS
    """How long an entry of the spool waits for its transcript. The sweep finds one that is written out still later."""
    quiet_seconds: Annotated[int, Field(ge=1)] = 1800
    """After which a transcript that nobody writes to counts as a session that ended (Codex's own figure)."""

    @model_validator(mode="after")
    def _keep_what_counts(self) -> Self:
        if self.evidence_days is not None and self.evidence_days < self.window_days:
            raise ValueError("evidence_days is less than window_days: what still counts would go")
        return self

    @classmethod
    def settings_customise_sources(
        cls,
        settings_cls: type[BaseSettings],
        init_settings: PydanticBaseSettingsSource,
        env_settings: PydanticBaseSettingsSource,
        dotenv_settings: PydanticBaseSettingsSource,
        file_secret_settings: PydanticBaseSettingsSource,
    ) -> tuple[PydanticBaseSettingsSource, ...]:
        """Flags first, then the TOML file, then the environment: the strongest first."""
        return init_settings, TomlConfigSettingsSource(settings_cls, _config_file()), env_settings

    @property
    def redis(self) -> str:
        """The URL of Redis for redis-py."""
        return self.redis_url.get_secret_value() or f"unix://{self.home / 'redis.sock'}?db=0"

    @property
    def broker(self) -> str:
        """The URL of the broker."""
        return self.broker_url.get_secret_value() or self.redis

    @property
    def database(self) -> str:
        """The URL of the database for SQLAlchemy."""
        return self.database_url.get_secret_value() or f"sqlite:///{self.home / 'habitus.db'}"

    @property
    def keys(self) -> Path:
        """The file of the keys."""
        return self.key_file or self.home / "keys.json"

    @property
    def tokens(self) -> Path:
        """The file of the tokens."""
        return self.token_file or self.home / "tokens.json"

    @property
    def id_keys(self) -> Path | None:
        """The file that the id keys are read from beside a database; None where there is none."""
        return self.id_key_file or (self.keys if self.keys.exists() else None)


_chosen_config: list[Path] = []


def choose_config(path: Path | None) -> None:
    """Sets the TOML file that later `read_settings` calls read.

    Raises:
        UsageError: when it is not there.
    """
    _chosen_config.clear()
    if path is not None:
        if not path.is_file():
            raise UsageError(f"no settings file at {path}: name one that exists with --config")
        _chosen_config.append(path)


def _config_file() -> Path | None:
    return _chosen_config[0] if _chosen_config else None


def read_settings(**flags: Any) -> Settings:
    """The settings in force. Flags that are None count as not given.

    Raises:
        UsageError: naming the setting that is wrong, never its value.
    """
    try:
        return Settings(**{name: value for name, value in flags.items() if value is not None})
    except ValidationError as error:
        problem = error.errors(include_input=False, include_url=False)[0]
        name = ".".join(str(part) for part in problem["loc"]) or "settings"
        told = problem["msg"].removeprefix("Value error, ")
        raise UsageError(f"setting {name} (HABITUS_{name.upper()}): {told}") from None
    except ValueError:
        raise UsageError("the settings file is not valid TOML: mend it, or leave --config out") from None
