"""Notebooks executed in a warm and in a cold kernel, to compare what comes of them."""

import re
from copy import deepcopy

import pytest
from traitlets.config import Config

from gradebox.execute import session_pair as module
from gradebox.execute.execute_preprocessor import Execute
from gradebox.execute.lesson import ExecutionInputs
from gradebox.kernel import zygote_client

# What lessons measure while they run: times, and memory.
MEASURED = re.compile(r" *\d[\d.]* (?:ms|s|MiB)\b")


def run(nb, warm: bool = True, **settings):
    """Execute a notebook in a warm or a cold kernel, as it is: nothing contained, nothing judged."""
    config = Config(Execute=Config({"isolation": "none", "draw": True, "timeout": 60, **settings}))
    with pytest.MonkeyPatch.context() as patch:
        if not warm:
            patch.setattr(module, "can_fork_kernels", lambda: False)
        Execute(config=config).execute_in_place(nb, ExecutionInputs())
    return nb


def printed_by(cell) -> str:
    return "".join(output.get("text", "") for output in cell.outputs)


def kinds(cell) -> set[str]:
    """What a cell put out: the types of its outputs, and the formats of what it displayed."""
    return {f"{o.output_type} {sorted(o.get('data', {}))}" for o in cell.outputs}


def same_warm_and_cold(source, monkeypatch) -> None:
    """Execute a notebook in a warm and in a cold kernel, and compare all outputs but measurements."""
    for name, value in zygote_client.DETERMINISTIC_ENV.items():
        monkeypatch.setenv(name, value)
    warm, cold = (run(deepcopy(source), warm) for warm in (True, False))
    for one, other in zip(warm.cells, cold.cells, strict=True):
        if one.cell_type == "code":
            # How a text is cut into messages depends on the moment.
            assert kinds(one) == kinds(other)
            if "seconds[" not in one.source:  # how long something took
                assert MEASURED.sub("", printed_by(one)) == MEASURED.sub("", printed_by(other))
