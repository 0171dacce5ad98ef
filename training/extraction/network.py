"""The network in jax, for training only: encoder with low-rank differences, gates and heads."""

import functools

import jax
import jax.numpy as jnp
import numpy as np

from habitus_schema.vocabulary import Dimension
from habitus_tasks.extract import encoder
from habitus_tasks.extract.classifier import GATES
from habitus_tasks.extract.encoder_file import encoder_file
from habitus_tasks.extract.heads import DIMENSION_OF, LABELS, NONE, SAME, STATES, TOPICS

Params = dict[str, jax.Array]
WIDTH = encoder_file().width
DIMENSIONS = len(Dimension)
ONE_HOT = np.eye(DIMENSIONS, dtype=np.float32)[DIMENSION_OF]
FAR = -1e9


def base(layers: int) -> list[Params]:
    """The encoder's layers as they ship."""
    found = []
    for i in range(layers):
        layer = {name: jnp.asarray(encoder.matrix(i, name)) for name in encoder.MATRICES}
        layer |= {f"{name}.b": jnp.asarray(encoder.bias(i, name)) for name in encoder.MATRICES}
        for name in ("aln", "oln"):
            gain, shift = encoder.norm(i, name)
            layer |= {f"{name}.w": jnp.asarray(gain), f"{name}.s": jnp.asarray(shift)}
        found.append(layer)
    return found


def _norm(x: jax.Array, gain: jax.Array, shift: jax.Array) -> jax.Array:
    x = x - x.mean(-1, keepdims=True)
    return x * jax.lax.rsqrt((x * x).mean(-1, keepdims=True) + 1e-12) * gain + shift


def layer(p: Params, plain: Params, i: int, x: jax.Array, mask: jax.Array) -> jax.Array:
    """One layer on rows of all tokens (batch * length x width: XLA is slow with three dimensions)."""
    batch, length = mask.shape

    def times(y: jax.Array, name: str) -> jax.Array:
        return y @ plain[name] + plain[f"{name}.b"] + (y @ p[f"left.{i}.{name}"]) @ p[f"right.{i}.{name}"]

    def split(y: jax.Array) -> jax.Array:
        return y.reshape(batch, length, encoder.HEADS, -1).transpose(0, 2, 1, 3)

    q, k, v = (split(times(x, name)) for name in ("q", "k", "v"))
    weights = jnp.einsum("bhqd,bhkd->bhqk", q, k) / np.sqrt(WIDTH / encoder.HEADS)
    weights = jax.nn.softmax(weights + (1 - mask)[:, None, None, :] * FAR, -1)
    seen = jnp.einsum("bhqk,bhkd->bhqd", weights, v).transpose(0, 2, 1, 3).reshape(batch * length, WIDTH)
    x = _norm(x + times(seen, "ao"), plain["aln.w"], plain["aln.s"])
    return _norm(x + times(jax.nn.gelu(times(x, "fi")), "fo"), plain["oln.w"], plain["oln.s"])


def encode(p: Params, plain: list[Params], x: jax.Array, mask: jax.Array) -> list[jax.Array]:
    """States before the first layer and after each (batch x length x width)."""
    batch, length = mask.shape
    found = [x.reshape(batch * length, WIDTH)]
    for i, each in enumerate(plain):
        found.append(layer(p, each, i, found[-1], mask))
    return [states.reshape(batch, length, WIDTH) for states in found]


def gate(p: Params, name: str, states: jax.Array, mask: jax.Array) -> jax.Array:
    """Logits of `heads.gate`."""
    inside = mask[:, :, None]
    mean = (states * inside).sum(1) / mask.sum(1, keepdims=True)
    pooled = jnp.concatenate([mean, jnp.where(inside > 0, states, FAR).max(1)], 1)
    hidden = jax.nn.gelu(pooled @ p[f"{name}.W"] + p[f"{name}.b"])
    return (hidden @ p[f"{name}.v"] + p[f"{name}.c"])[:, 0]


def judge(
    p: Params, x: jax.Array, mask: jax.Array, facts: jax.Array, decided: jax.Array, key: jax.Array | None = None
) -> tuple[jax.Array, jax.Array]:
    """Logits of all labels, and of a tie to an entity for each pair, as `heads.judge`. With a key, inputs drop."""
    keep = jnp.ones(())
    if key is not None:
        k1, k2, k3 = jax.random.split(key, 3)
        x = x * jax.random.bernoulli(k1, 0.9, x.shape) / 0.9
        decided = decided * jax.random.bernoulli(k3, 0.8, (decided.shape[0], 1))
        keep = jax.random.bernoulli(k2, 0.6, (x.shape[0], p["head.g"].shape[0])) / 0.6
    attention = jax.nn.softmax(x @ p["head.U"] + (1 - mask)[:, :, None] * FAR, 1)
    seen = jnp.einsum("btl,bth->blh", attention, x)
    mean = (x * mask[:, :, None]).sum(1) / mask.sum(1, keepdims=True)
    hidden = jax.nn.gelu(jnp.concatenate([mean, facts], 1) @ p["head.G"] + p["head.g"]) * keep
    weights = p["head.W"].at[:, :NONE].add(p["shared"] @ ONE_HOT.T)
    logits = jnp.einsum("blh,hl->bl", seen, weights) + p["head.c"]
    logits = logits.at[:, : NONE + 1].add(hidden @ p["head.V"])
    believable = (p["head.ap"][DIMENSION_OF] + hidden @ p["head.gp"]) * jax.nn.relu(decided)
    doubtful = (p["head.an"][DIMENSION_OF] + hidden @ p["head.gn"]) * jax.nn.relu(-decided)
    logits = logits.at[:, :NONE].add(believable + doubtful)
    tied = jax.nn.gelu(seen[:, :NONE] @ p["head.S"] + (mean @ p["head.M"])[:, None, :] + p["head.sb"])
    return logits, tied @ p["head.s"] + p["head.sc"]


def pair_loss(logits: jax.Array, wanted: jax.Array) -> jax.Array:
    """Each wish against none and its rivals of the same dimension; none against all that is not wished.

    The adaptive threshold of Zhou et al. 2021, with rivals: wishes of different dimensions do not compete.
    """
    pairs, none = logits[:, :NONE], logits[:, NONE : NONE + 1]
    others = jnp.where(wanted > 0, FAR, pairs)
    most = jax.lax.stop_gradient(logits[:, : NONE + 1].max(1, keepdims=True))
    rivals = jnp.log(jnp.exp(others - most) @ SAME + jnp.exp(none - most)) + most
    each = ((jnp.logaddexp(pairs, rivals) - pairs) * wanted).sum(1)
    quiet = jax.nn.logsumexp(jnp.concatenate([others, none], 1), 1) - none[:, 0]
    return each + quiet


def _binary(logits: jax.Array, wanted: jax.Array) -> jax.Array:
    return jnp.logaddexp(0, logits) - logits * wanted


def loss(p: Params, plain: list[Params], batch: Params, key: jax.Array) -> jax.Array:
    """All heads together, weighted by what each is worth: pairs lead."""
    read = encode(p, plain, batch["x"], batch["mask"])
    logits, tied = judge(p, read[-1], batch["mask"], batch["facts"], batch["decided"], key)
    real = batch["real"]
    gates = [gate(p, f"gate{depth}", read[depth], batch["mask"]) for depth in GATES]
    matters = sum(_binary(logit, batch["matters"]) for logit in gates) * (1 + batch["matters"])
    states = -jnp.take_along_axis(jax.nn.log_softmax(logits[:, STATES]), batch["state"][:, None], 1)[:, 0]
    topics = _binary(logits[:, TOPICS], batch["topics"]).sum(1) * batch["topics_known"]
    scope = (_binary(tied, batch["tied"]) * batch["wanted"]).sum(1)
    each = pair_loss(logits, batch["wanted"]) + 0.5 * states + 0.3 * topics + 0.5 * scope + 0.25 * matters
    return (each * real).sum() / jnp.maximum(real.sum(), 1)


def fresh(
    rng: np.random.Generator, layers: int, rank: int, facts: int, *, hidden: int = 256, scope: int = 48, looks: int = 48
) -> Params:
    """Untrained parameters. `shared` holds what a dimension's values have in common; it is folded into `W` when stored.

    The differences of the encoder start at zero.
    """

    def normal(rows: int, columns: int, scale: float = 1.0) -> jax.Array:
        return jnp.asarray((rng.standard_normal((rows, columns)) * scale / np.sqrt(rows)).astype(np.float32))

    p: Params = {
        **{f"gate{depth}.W": normal(2 * WIDTH, looks) for depth in GATES},
        **{f"gate{depth}.b": jnp.zeros(looks) for depth in GATES},
        **{f"gate{depth}.v": normal(looks, 1) for depth in GATES},
        **{f"gate{depth}.c": jnp.zeros(1) for depth in GATES},
        "shared": normal(WIDTH, DIMENSIONS, 0.1),
        "head.U": normal(WIDTH, LABELS, 0.3),
        "head.W": normal(WIDTH, LABELS, 0.1),
        "head.c": jnp.zeros(LABELS).at[NONE].set(2.0).at[STATES.start].set(2.0).at[TOPICS].set(-3.0),
        "head.G": normal(WIDTH + facts, hidden),
        "head.g": jnp.zeros(hidden),
        "head.V": normal(hidden, NONE + 1, 0.1),
        "head.ap": jnp.full(DIMENSIONS, 0.3),
        "head.an": jnp.full(DIMENSIONS, -0.3),
        "head.gp": jnp.zeros((hidden, 1)),
        "head.gn": jnp.zeros((hidden, 1)),
        "head.S": normal(WIDTH, scope),
        "head.M": normal(WIDTH, scope),
        "head.sb": jnp.zeros(scope),
        "head.s": jnp.zeros(scope),
        "head.sc": jnp.full(1, -1.0),
    }
    for i in range(layers):
        for name in encoder.MATRICES:
            rows, columns = encoder.matrix(i, name).shape
            p[f"left.{i}.{name}"] = normal(rows, rank)
            p[f"right.{i}.{name}"] = jnp.zeros((rank, columns))
    return p


@functools.partial(jax.jit, static_argnames=("decay",))
def adam(
    p: Params, m: Params, v: Params, g: Params, rates: Params, t: float, decay: float
) -> tuple[Params, Params, Params]:
    """One step of AdamW (Loshchilov and Hutter 2019), the gradient clipped to length 5."""
    length = jnp.sqrt(sum((x**2).sum() for x in g.values()))
    g = {k: x * jnp.minimum(1.0, 5.0 / jnp.maximum(length, 1e-6)) for k, x in g.items()}
    m = {k: 0.9 * m[k] + 0.1 * g[k] for k in p}
    v = {k: 0.99 * v[k] + 0.01 * g[k] ** 2 for k in p}
    step = {k: (m[k] / (1 - 0.9**t)) / (jnp.sqrt(v[k] / (1 - 0.99**t)) + 1e-8) + decay * p[k] for k in p}
    return {k: p[k] - rates[k] * step[k] for k in p}, m, v
