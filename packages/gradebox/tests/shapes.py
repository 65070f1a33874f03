"""What tests of `follow_shapes` share."""

import linecache
import math

import torch
from torch import nn
from torch.nn import functional

# Beside other tests, threads that wait for each other take most of the time.
torch.set_num_threads(1)


def run(text: str, names: dict) -> None:
    """Run a cell. As in Jupyter, its lines can be had again."""
    name = f"<cell of {hash(text)}>"
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)
    exec(compile(text, name, "exec"), names)


def named(text: str) -> dict:
    """What a notebook holds after a cell with this text."""
    names = {"nn": nn, "F": functional, "torch": torch, "math": math, "__name__": "__main__"}
    run(text, names)
    return names


def of(kind: str, found: list) -> list[str]:
    return [f"{line.strip()} → {shown}" for verdict, line, shown in found if verdict == kind]
