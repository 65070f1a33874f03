"""A test of gradients accepts what can be trained, and names the line at which a gradient stops."""

import linecache

import pytest
import torch

from gradebox.release.generate_checks_cell import build_checks_code

HELPER = "def unused():\n    check_gradients()"
LAYER = """
import math
import numpy as np
import torch
from torch import nn

class Layer(nn.Module):
    def __init__(self):
        super().__init__()
        self.q, self.k, self.v = nn.Linear(4, 3), nn.Linear(4, 3), nn.Linear(4, 3)

    def forward(self, x, mask=None):
        q, k, v = self.q(x), self.k(x), self.v(x)
        scores = q @ k.mT / math.sqrt(3)
        weights = torch.softmax(scores, dim=-1)
        return weights @ v, weights
"""
PARAMETERS = ["q.weight", "q.bias", "k.weight", "v.weight", "v.bias"]
# A part of the layer, what a student may write in its place, and the parameters and hint of the message.
CUT = {
    "detach": ("weights @ v, w", "weights.detach() @ v, w", "q.weight, q.bias, k.weight", ".detach()"),
    "data": ("q @ k.mT", "q.data @ k.data.mT", "q.weight, q.bias, k.weight", ".data"),
    "weights alone": ("self.v(x)", "x @ self.v.weight.data.T", "v.weight, v.bias", ".data"),
    "no_grad": (
        "    def forward",
        "    @torch.no_grad()\n    def forward",
        ", ".join([*PARAMETERS, "x"]),
        "no_grad",
    ),
    "new tensor": (
        "softmax(scores,",
        "softmax(torch.tensor(scores),",
        "q.weight, q.bias, k.weight",
        "torch.tensor",
    ),
    "one layer": ("self.k(x)", "self.q(x)", "k.weight", "use the tensors themselves"),
}


def notebook(text: str) -> dict:
    code, _ = build_checks_code(
        {"layer": {"defines": ["Layer", "own"], "advice": {}, "calls": {}}}, HELPER, ""
    )
    names = {"__name__": "__main__"}
    exec(compile(code, "checks", "exec"), names)
    linecache.cache["<layer>"] = (len(text), None, text.splitlines(keepends=True), "<layer>")
    exec(compile(text, "<layer>", "exec"), names)
    return names


def said(text: str) -> str:
    """The message of a test of the layer in this text; "" if it passes."""
    names = notebook(text)
    torch.manual_seed(0)
    try:
        names["check_gradients"](
            "layer", "gradients", names["Layer"](), PARAMETERS, x=torch.rand(2, 5, 4), mask=None
        )
    except AssertionError as error:
        return str(error)
    return ""


def test_a_layer_that_can_be_trained_passes():
    assert said(LAYER) == ""
    in_place = "scores = q @ k.mT\n        scores /= 2"
    assert said(LAYER.replace("scores = q @ k.mT / math.sqrt(3)", in_place)) == ""


def test_a_notebook_that_has_turned_gradients_off_passes():
    with torch.no_grad():
        assert said(LAYER) == ""


def test_a_change_in_place_that_stops_the_backward_pass_is_named():
    message = said(LAYER.replace("dim=-1)", "dim=-1)\n        weights *= 2"))
    assert "modified by an inplace operation" in message
    assert message.splitlines()[-1].startswith("make a new tensor: +=")


@pytest.mark.parametrize("name", CUT)
def test_the_line_that_cuts_the_gradient_is_named(name):
    part, instead, lacks, hint = CUT[name]
    assert part in LAYER
    first, *_, last = said(LAYER.replace(part, instead)).splitlines()
    assert first == f"gradients: no gradient reaches {lacks}"
    assert hint in last
    if "themselves" not in hint:
        assert last.startswith("line ") and "of your cell" in last


def test_a_gradient_of_zero_is_no_gradient():
    message = said(LAYER.replace("self.q(x), self", "self.q(x) * 0, self"))
    assert message.splitlines()[0] == "gradients: the gradient of q.weight, q.bias, k.weight is 0"


@pytest.mark.parametrize(
    ("part", "instead", "wrong"),
    [
        ("self.q(x), self", "self.q(x.detach()), self", "x"),
        ("weights @ v, w", "(weights @ v).detach() + 1e-6 * (weights @ v), w", "x"),
        ("softmax(scores, dim=-1)", "softmax(scores.detach() + 1e-3 * scores, dim=-1)", "x"),
    ],
)
def test_a_gradient_of_a_part_is_not_that_of_the_values(part, instead, wrong):
    assert part in LAYER
    message = said(LAYER.replace(part, instead))
    first, *_, last = message.splitlines()
    assert first.startswith("gradients: the gradient of") and wrong in first, message
    assert first.endswith("is not that of the function's values")
    assert last.startswith("line ") and "detach" in last


def test_kinks_and_large_numbers_have_right_gradients():
    relu = "torch.softmax(torch.relu(scores) - torch.relu(0.3 - scores), dim=-1)"
    assert said(LAYER.replace("torch.softmax(scores, dim=-1)", relu)) == ""
    names = notebook("def own(x):\n    return x * 2 + 7")
    names["check_gradients"]("layer", "gradients", names["own"], x=torch.arange(600).float())


def test_the_same_dropout_is_drawn_each_time_and_the_test_draws_what_it_would():
    names = notebook(LAYER.replace("weights @ v", "nn.functional.dropout(weights, 0.5) @ v"))
    torch.manual_seed(3)
    layer, x, expected = names["Layer"](), torch.rand(2, 5, 4), torch.get_rng_state()
    before = {name: value.clone() for name, value in layer.state_dict().items()}
    names["check_gradients"]("layer", "gradients", layer, ["v.weight", "q.weight"], x=x)
    assert torch.equal(torch.get_rng_state(), expected)
    assert all(torch.equal(before[name], value) for name, value in layer.state_dict().items())


def test_arguments_keep_their_dtype_in_a_notebook_with_another_default():
    names = notebook("def own(x, y):\n    return x @ y")
    x, y = torch.rand(2, 3, dtype=torch.float32), torch.rand(3, 2, dtype=torch.float32)
    torch.set_default_dtype(torch.float64)
    try:
        names["check_gradients"]("layer", "gradients", names["own"], x=x, y=y)
    finally:
        torch.set_default_dtype(torch.float32)


def test_a_tests_own_function_decides_which_gradients_are_right():
    """A function may return other values while gradients are compared."""
    names = notebook("def own(x, y):\n    return (x + y).sum()")
    compare, two_faces, x, y = names["check_gradients"], names["own"], torch.rand(3), torch.rand(3)
    compare("layer", "gradients", two_faces, x=x, y=y)
    for right, passes in ((lambda x, y: (x + y).sum(), True), (lambda x, y: x * y, False)):
        try:
            compare("layer", "gradients", two_faces, x=x, y=y, right=right)
            assert passes
        except AssertionError as error:
            assert not passes and "not that of the function's values" in str(error)
    layer, w = torch.nn.Linear(3, 2), {"weight": torch.rand(2, 3), "bias": torch.rand(2)}
    layer.load_state_dict(w)
    compare("layer", "gradients", layer, w, x=x, right=lambda w, x: (w["weight"] @ x + w["bias"]).numpy())
    with pytest.raises(AssertionError, match="the gradient of weight, bias is not"):
        compare("layer", "gradients", layer, w, x=x, right=lambda w, x: w["weight"] @ x + 2 * w["bias"])


def test_numpy_in_a_layer_is_named():
    message = said(LAYER.replace("torch.softmax(scores, dim=-1)", "torch.from_numpy(np.exp(scores.numpy()))"))
    assert "Can't call numpy() on Tensor that requires grad" in message
    assert "no gradient flows through" in message.splitlines()[-1]


@pytest.mark.parametrize(
    ("body", "message"),
    {
        "x.exp() * y": "",
        "x.exp() * y.data": "no gradient reaches y",
        "x.exp() * y.sum().item()": "no gradient reaches y",
        "torch.tensor(x.tolist()) * torch.tensor(y.tolist())": "no gradient reaches x, y",
        "x.numpy()": "Can't call numpy()",
        "x.softmax(-1) + 0 * y": "the gradient of y is 0",
        "[x.softmax(-1) * y, None]": "",
    }.items(),
)
def test_a_function_passes_gradients_on_to_its_arguments(body, message):
    names = notebook(f"import torch\ndef own(x, y, size):\n    return {body}")
    given = {"x": torch.tensor([0.1, 0.2, 0.4]), "y": torch.ones(3), "size": torch.tensor([1, 2])}
    try:
        names["check_gradients"]("layer", "gradients", names["own"], **given)
    except AssertionError as error:
        assert message and message in str(error)
    else:
        assert not message
