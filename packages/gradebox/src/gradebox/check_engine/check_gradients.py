"""The `check_gradients` function, with which a test requires the right gradients of a student's code.

In the judge, autograd runs in the student's process, which sends the gradients as tensors (see
`judge/handles.py`). The judge compares them with finite differences, for which it calls a function of the
test, or the student's function. The code below the line is copied into lessons; it needs torch.
"""

import copy
from typing import Any

from gradebox.check_engine.explain_errors import explained
from gradebox.check_engine.source_hints import gradient_cut
from gradebox.check_engine.submitted_texts import text_of_exercise
from gradebox.check_engine.traceback_location import students_files

MESSAGES: dict[str, Any] = {}

# ------------------------------------------------------------------------------------------------------
# The method of a reference to an object in another process that computes gradients there.
REMOTE = "__gradebox_gradients__"
KEEP_GRAPH = (
    "is it used? Then use the tensors themselves, without .detach(), .data, .item(), no_grad or NumPy"
)
# A finite difference adds at most MAX_STEP (on average) to each number of a tensor, and less if the weighted
# sum of the results would change by more than MAX_CHANGE. A larger step is tried after a smaller one: a small
# step is right beside the kinks of a ReLU, a large one for large numbers, which are rounded more.
MAX_STEP, MAX_CHANGE, SCALES = 0.002, 0.01, (1, 10)
# The error of finite differences is 5 times smaller for the course's own solutions.
TOLERANCE = 0.02
# So many parameters change together: each one alone would take many more calls.
GROUP_SIZE = 4
# Each call draws the same dropout. A seed that no lesson uses is sure to be sent to the student's process.
SEED = 90210


def check_gradients(exercise, case, function, parameters=(), right=None, **arguments):
    """Raise AssertionError unless all arguments and parameters get the gradient of the function's values.

    The gradient is that of a weighted sum of the numbers in the function's result, or in the first of its
    results; it must not be 0. function: a function or a module. parameters: names of the module's parameters
    that must get a gradient, as in `named_parameters()`. arguments: those of the call, in order; those that
    are tensors of floats must get a gradient. right: for hidden tests, a function of the test with the same
    results, because a submission may return others while gradients are compared. If there are parameters,
    they are a dict of tensors, which is its first argument.
    """
    import torch

    text = text_of_exercise(MESSAGES.get(exercise, {}).get("defines", ()), check_gradients.__globals__)
    remote = getattr(type(function), REMOTE, None)
    tensors = [name for name, value in arguments.items() if has_floats(value)]
    names = [*parameters, *tensors]
    random_state = torch.get_rng_state()
    try:
        torch.manual_seed(SEED)
        gradients = (remote or compute_gradients)(function, copied_arguments(arguments))
        lacks = [name for name in names if not has_floats(gradients.get(name))]
        zero = [name for name in names if name not in lacks and not gradients[name].abs().max() > 0]
        groups = [[name] for name in tensors]
        groups += [[*parameters][k : k + GROUP_SIZE] for k in range(0, len(parameters), GROUP_SIZE)]
        state = dict(parameters) if right else function.state_dict() if parameters else {}
        wrong = lacks or zero or find_wrong_gradients(function, right, groups, state, arguments, gradients)
    except Exception as error:
        lines = explained(error, students_files(check_gradients.__globals__)).split("\n")
        if "requires grad" in str(error):
            lines = [*lines[: max(1, len(lines) - 1)], gradient_cut(text) or KEEP_GRAPH]
        stop = AssertionError("\n".join([f"{case}: {lines[0]}", *lines[1:]]))
        stop.__notes__ = getattr(error, "__notes__", [])
        raise stop from None
    finally:
        torch.set_rng_state(random_state)
    problem, advice = "", KEEP_GRAPH
    if lacks:
        problem = f"no gradient reaches {', '.join(lacks)}"
    elif zero:
        problem = f"the gradient of {', '.join(zero)} is 0"
        advice = "does the result depend on it as it should?"
    elif wrong:
        problem = f"the gradient of {', '.join(wrong)} is not that of the function's values"
    if problem:
        raise AssertionError(f"{case}: {problem}\n{gradient_cut(text) or advice}")


def has_floats(value):
    """Return True for a tensor of floats, through which a gradient can flow."""
    import torch

    return isinstance(value, torch.Tensor) and value.is_floating_point()


def weighted_sum(result):
    """Return the sum of a result's finite numbers, each with another weight.

    The plain sum of a softmax would be constant.
    """
    import torch

    weights = torch.cos(1.7 * torch.arange(result.numel()) + 0.3).reshape(result.shape)
    return torch.where(result.isfinite(), result * weights, 0).sum()


def copied_arguments(arguments):
    """Return copies of the arguments, which the function may change."""
    return {
        name: copy.deepcopy(value) if isinstance(value, (list, dict)) or hasattr(value, "shape") else value
        for name, value in arguments.items()
    }


def first_result(result):
    return result[0] if isinstance(result, (tuple, list)) else result


def compute_gradients(function, arguments):
    """Return each gradient by the name of its argument or parameter; None where no gradient flows.

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
        result = first_result(function(*given))
        watched = dict(function.named_parameters()) if isinstance(function, torch.nn.Module) else {}
        watched.update(leaves)
        if not isinstance(result, torch.Tensor) or not result.requires_grad:
            return dict.fromkeys(watched)
        learns = {name: value for name, value in watched.items() if value.requires_grad}
        gradients = torch.autograd.grad(weighted_sum(result), [*learns.values()], allow_unused=True)
    return {**dict.fromkeys(watched), **dict(zip(learns, gradients))}


def find_wrong_gradients(function, right, groups, state, arguments, gradients):
    """Return the names in the first group whose gradients differ from central finite differences.

    function, right: see `check_gradients`. groups: lists of names of arguments or parameters whose tensors
    change together. state: the parameters by name.
    """
    import torch

    generator = torch.Generator().manual_seed(0)

    def change_along(directions, sign):
        """Return the weighted sum of the results after a step along the directions."""
        moved = {name: values[name] + sign * step for name, step in directions.items()}
        parameters = {name: moved.pop(name) for name in directions if name in state}
        given = copied_arguments(arguments | moved).values()
        if parameters and not right:
            function.load_state_dict(parameters, strict=False)
        torch.manual_seed(SEED)
        result = right(*[state | parameters] * bool(state), *given) if right else function(*given)
        return float(weighted_sum(torch.as_tensor(first_result(result)).detach().double()))

    for group in groups:
        values = {name: (state if name in state else arguments)[name].detach().clone() for name in group}
        if any(gradients[name].shape != values[name].shape for name in group):
            return group
        directions, expected, size = {}, 0.0, 0.0
        for name in group:
            norm = float(gradients[name].norm())
            step = min(MAX_STEP, MAX_CHANGE / norm)
            directions[name] = torch.randn(values[name].shape, generator=generator).to(values[name]) * step
            expected += float((gradients[name].double() * directions[name]).sum())
            size += (step * norm) ** 2
        differences = ((change_along(directions, n) - change_along(directions, -n)) / 2 / n for n in SCALES)
        # NaN is wrong, too.
        wrong = not any(abs(found - expected) <= TOLERANCE * size**0.5 for found in differences)
        if group[0] in state and not right:
            function.load_state_dict(values, strict=False)
        if wrong:
            return group
    return []
