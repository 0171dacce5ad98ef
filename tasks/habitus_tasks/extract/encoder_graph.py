"""The encoder's layers in 8 bits: the published forward pass of BERT (Devlin et al. 2018) as a graph for ONNX Runtime.

Every matrix product is one of whole numbers. Weights are rounded by column to 7 bits: with 8, processors without
instructions of their own for such products (VNNI) overflow. States are rounded by row, each row by its own largest
number, so that what is read beside a text never changes how the text is read.

Tokens of all texts stand in one matrix; only attention, which stays within a text, spreads them over texts of one
length. Operators named `com.microsoft` are ONNX Runtime's own.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from onnx import ModelProto, NodeProto, TensorProto, helper, numpy_helper
from onnxruntime import GraphOptimizationLevel, InferenceSession, SessionOptions

from habitus_tasks.extract.encoder import EPSILON, HEADS, Bounds, Layer
from habitus_tasks.extract.encoder_file import Array

LARGEST = 63
"""The largest rounded weight."""
_OWN = "com.microsoft"
_VERSIONS = {"": 18, _OWN: 1}
_FILE_VERSION = 9
"""Of the file format and the operators: old enough for any ONNX Runtime that runs on the Python we ask for."""


class _Graph:
    """A graph that grows node by node; each method gives the name of what its node computes."""

    def __init__(self) -> None:
        self.nodes: list[NodeProto] = []
        self.constants: list[TensorProto] = []
        self.last_axis = self.constant("last axis", np.array([1], np.int64))
        self.step = self.constant("step", np.float32(1 / 127))
        self.zero = self.constant("zero", np.uint8(128))

    def constant(self, name: str, value: np.ndarray | np.generic) -> str:
        self.constants.append(numpy_helper.from_array(np.asarray(value), name))
        return name

    def node(self, name: str, kind: str, *inputs: str, own: bool = False, **settings: Any) -> str:
        self.nodes.append(helper.make_node(kind, list(inputs), [name], None, None, _OWN if own else None, **settings))
        return name

    def product(self, name: str, x: str, weights: Array) -> str:
        """Rows times a matrix (in x out), without its bias."""
        scale = np.abs(weights).max(axis=0) / np.float32(LARGEST)
        rounded = self.constant(f"{name} weights", np.round(weights / scale).astype(np.int8))
        scales = self.constant(f"{name} scales", scale)
        most = self.node(f"{name} most", "ReduceMax", self.node(f"{name} size", "Abs", x), self.last_axis)
        unit = self.node(f"{name} unit", "Div", x, most)
        whole = self.node(f"{name} whole", "QuantizeLinear", unit, self.step, self.zero)
        found = self.node(
            f"{name} found", "MatMulIntegerToFloat", whole, rounded, self.step, scales, self.zero, own=True
        )
        return self.node(f"{name} product", "Mul", found, most)

    def affine(self, name: str, x: str, weights: Array, bias: Array) -> str:
        """Rows times a matrix, and its bias."""
        return self.node(name, "Add", self.product(name, x, weights), self.constant(f"{name} bias", bias))

    def sum_normalised(self, name: str, one: str, other: str, norm: tuple[Array, Array]) -> str:
        """Layer norm (Ba et al. 2016) of a sum. ONNX Runtime has an operator for both at once: it is slower."""
        gain, shift = (self.constant(f"{name} {part}", norm[i]) for i, part in enumerate(("gain", "shift")))
        total = self.node(f"{name} sum", "Add", one, other)
        return self.node(name, "LayerNormalization", total, gain, shift, axis=-1, epsilon=float(EPSILON))

    def attention(self, name: str, mixed: str, width: int) -> str:
        """What each token takes from the others of its text; `mixed` holds queries, keys and values side by side."""
        spread = self.node(f"{name} spread", "Gather", mixed, "place")
        parts = [f"{name} {part}" for part in ("queries", "keys", "values")]
        self.nodes.append(helper.make_node("Split", [spread], parts, axis=-1, num_outputs=3))
        seen = self.node(f"{name} seen", "MultiHeadAttention", *parts, "", "inside", own=True, num_heads=HEADS)
        flat = self.node(
            f"{name} flat", "Reshape", seen, self.constant(f"{name} shape", np.array([-1, width], np.int64))
        )
        return self.node(name, "Gather", flat, "back")

    def layer(self, name: str, x: str, layer: Layer) -> str:
        """One layer on the states `x`."""
        mixed = self.affine(f"{name} mixed", x, layer.attend, layer.attend_bias)
        taken = self.attention(f"{name} taken", mixed, len(layer.out_bias))
        seen = self.affine(f"{name} out", taken, layer.out, layer.out_bias)
        middle = self.sum_normalised(f"{name} middle", seen, x, layer.after_attention)
        wide = self.product(f"{name} wide", middle, layer.wide)
        active = self.node(
            f"{name} active", "FastGelu", wide, self.constant(f"{name} wide bias", layer.wide_bias), own=True
        )
        narrow = self.affine(f"{name} narrow", active, layer.narrow, layer.narrow_bias)
        return self.sum_normalised(name, narrow, middle, layer.after_forward)

    def model(self, width: int, result: str) -> ModelProto:
        inputs: list[tuple[str, int, list[str | int | None]]] = [
            ("states", TensorProto.FLOAT, ["tokens", width]),
            ("place", TensorProto.INT64, ["texts", "longest"]),
            ("inside", TensorProto.INT32, ["texts", "longest"]),
            ("back", TensorProto.INT64, ["tokens"]),
        ]
        graph = helper.make_graph(
            self.nodes,
            "layers",
            [helper.make_tensor_value_info(name, kind, shape) for name, kind, shape in inputs],
            [helper.make_tensor_value_info(result, TensorProto.FLOAT, ["tokens", width])],
            self.constants,
        )
        versions = [helper.make_opsetid(*each) for each in _VERSIONS.items()]
        return helper.make_model(graph, opset_imports=versions, ir_version=_FILE_VERSION)


def _session(model: ModelProto) -> InferenceSession:
    """One thread: a worker's processes are its parallelism. Nothing is left to fuse."""
    options = SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.graph_optimization_level = GraphOptimizationLevel.ORT_DISABLE_ALL
    return InferenceSession(model.SerializeToString(), options, providers=["CPUExecutionProvider"])


@dataclass(frozen=True, slots=True, repr=False)
class Layers:
    """A run of layers, ready to compute; safe to share between threads, holds no text."""

    session: InferenceSession

    @classmethod
    def of(cls, layers: Sequence[Layer]) -> "Layers":
        """Rounds the weights of `layers`, which follow one another, and makes their graph."""
        graph, x = _Graph(), "states"
        for number, layer in enumerate(layers):
            x = graph.layer(f"{number}", x, layer)
        return cls(_session(graph.model(len(layers[0].out_bias), x)))

    def forward(self, states: Array, bounds: Bounds) -> Array:
        """The states after these layers (tokens x width); `bounds` are the rows of each text. Some text is asked for.

        Cost grows with the longest text times the number of texts: give texts of about one length.
        """
        sizes, begins = np.array([end - begin for begin, end in bounds]), np.array([begin for begin, _ in bounds])
        steps = np.arange(sizes.max())
        inside = steps < sizes[:, None]
        given = {
            "states": states,
            "place": np.where(inside, begins[:, None] + steps, 0),
            "inside": inside.astype(np.int32),
            "back": np.flatnonzero(inside),
        }
        (found,) = self.session.run(None, given)
        return np.asarray(found, dtype=np.float32)
