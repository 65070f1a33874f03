"""The `check_gradients` function, with which a test requires that a gradient flows through a student's code.

In the judge, the gradients are computed in the student's process, and only their sizes are sent (see
`judge/handles.py`). The code below the line is copied into lessons; it needs torch.
"""

from typing import Any

from gradebox.check_engine.explain_errors import explained
from gradebox.check_engine.source_hints import gradient_cut
from gradebox.check_engine.submitted_texts import text_of_exercise
from gradebox.check_engine.traceback_location import students_files

MESSAGES: dict[str, Any] = {}

# ------------------------------------------------------------------------------------------------------
# The method of a reference to an object in another process that computes gradients there.
REMOTE = "__gradebox_gradients__"
KEEP_GRAPH = "use the tensors themselves, without .detach(), .data, .item(), no_grad or NumPy"


def check_gradients(exercise, case, function, parameters=(), **arguments):
    """Raise AssertionError unless a gradient that is not 0 reaches all arguments and parameters.

    The gradient is that of a weighted sum of the numbers in the function's result, or in the first of its
    results. function: a function or a module. parameters: names of the module's parameters that must get a
    gradient, as in `named_parameters()`. arguments: those of the call, in order; those that are tensors of
    floats must get a gradient.
    """
    text = text_of_exercise(MESSAGES.get(exercise, {}).get("defines", ()), check_gradients.__globals__)
    remote = getattr(type(function), REMOTE, None)
    try:
        sizes = remote(function, arguments) if remote else gradient_sizes(function, arguments)
    except Exception as error:
        lines = explained(error, students_files(check_gradients.__globals__)).split("\n")
        if "requires grad" in str(error):
            lines = [*lines[: max(1, len(lines) - 1)], gradient_cut(text) or KEEP_GRAPH]
        stop = AssertionError("\n".join([f"{case}: {lines[0]}", *lines[1:]]))
        stop.__notes__ = getattr(error, "__notes__", [])
        raise stop from None
    tensors = [name for name, value in arguments.items() if has_floats(value)]
    lacks = [name for name in [*parameters, *tensors] if type(sizes.get(name)) is not float]
    if lacks:
        raise AssertionError(
            f"{case}: no gradient reaches {', '.join(lacks)}\n{gradient_cut(text) or KEEP_GRAPH}"
        )
    zero = [name for name in [*parameters, *tensors] if not abs(sizes[name]) > 0]
    if zero:
        hint = gradient_cut(text) or "does the result depend on it as it should?"
        raise AssertionError(f"{case}: the gradient of {', '.join(zero)} is 0\n{hint}")


def has_floats(value):
    """Return True for a tensor of floats, through which a gradient can flow."""
    import torch

    return isinstance(value, torch.Tensor) and value.is_floating_point()


def gradient_sizes(function, arguments):
    """Return the largest entry of each gradient, without its sign, by name; None where no gradient flows.

    function, arguments: see `check_gradients`.
    """
    import torch

    # Copies, so that a change in place is possible, as in a training step.
    leaves = {
        name: value.detach().clone().requires_grad_()
        for name, value in arguments.items()
        if has_floats(value)
    }
    # Student code may have turned gradients off for the whole notebook.
    with torch.enable_grad():
        given = [leaves[name].clone() if name in leaves else value for name, value in arguments.items()]
        result = function(*given)
        result = result[0] if isinstance(result, (tuple, list)) else result
        watched = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
        watched.update(leaves)
        if not isinstance(result, torch.Tensor) or not result.requires_grad:
            return dict.fromkeys(watched)
        # All weights differ, since the sum of a softmax has the gradient 0.
        loss = (result * torch.cos(1.7 * torch.arange(result.numel()) + 0.3).reshape(result.shape)).sum()
        learns = {name: value for name, value in watched.items() if value.requires_grad}
        found = torch.autograd.grad(loss, [*learns.values()], allow_unused=True)
    sizes = {name: None if one is None else float(one.abs().max()) for name, one in zip(learns, found)}
    return {**dict.fromkeys(watched), **sizes}
