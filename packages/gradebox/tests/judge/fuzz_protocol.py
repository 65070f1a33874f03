"""Fuzzing of all that the judge reads, led by the lines that it runs: `make fuzz`.

An input is made into what a student's process sends in answer to one question: mostly messages that look
like some. Whatever it is, the judge takes data, raises an error that a test may expect, or says that the
channel is broken.
"""

import sys

import atheris

with atheris.instrument_imports(
    include=[f"gradebox.judge.{name}" for name in ("link", "proxies", "protocol", "data", "values", "kinds")]
):
    from gradebox.judge import data, protocol, values

import json

from test_protocol import ASKED, TYPES, answered, frame

KINDS = [name.removeprefix("read_") for name in dir(data.Unpacker) if name.startswith("read_")]
KINDS += [*values.READERS, "part", "object", "function", "pickle", "shape", "array", "scalar", "tensor"]
KEYS = [
    "at",
    "type",
    "shape",
    "hex",
    "on",
    "of",
    "number",
    "kind",
    "itself",
    "line",
    "can",
    "fields",
    "member",
]
KEYS += ["name", "module", "most", "new", "zone", "fold"]
WORDS = [
    *TYPES,
    *sorted(data.TENSORS),
    "cpu",
    "meta",
    "cuda",
    "StopIteration",
    "KeyError",
    "Broken",
    "f" * 50,
    "\ud800",
]


def node(source: atheris.FuzzedDataProvider, deep: int = 0) -> protocol.Node:
    """Part of a message."""
    choice = source.ConsumeIntInRange(0, 5 if deep < 4 else 2)
    if choice == 0:
        return source.PickValueInList([None, True, 0, 1, 2, 3, -1, ASKED, 2**70, 0.5, *WORDS])
    if choice == 1:
        return source.ConsumeIntInRange(-3, 2**40)
    if choice == 2:
        return [source.ConsumeIntInRange(0, 3) for _ in range(source.ConsumeIntInRange(0, 3))]
    if choice == 3:
        return [node(source, deep + 1) for _ in range(source.ConsumeIntInRange(0, 3))]
    made = {"is": source.PickValueInList(KINDS), "at": source.ConsumeIntInRange(-1, 2), "on": "cpu"}
    if choice == 4:
        # Of eight bytes, as the first buffer often is.
        made |= {
            "at": 0,
            "type": source.PickValueInList(WORDS),
            "shape": source.PickValueInList([[], [1], [2]]),
        }
    return made | {key: node(source, deep + 1) for key in KEYS if source.ConsumeIntInRange(0, 3) == 0}


def message(source: atheris.FuzzedDataProvider) -> dict[str, protocol.Node]:
    """A whole one, with something left out or wrong now and then."""
    made = source.PickValueInList(
        [
            {"to": ASKED, "value": 1, "changed": []},
            {"call": 0, "with": [[], {}]},
            {"call": 0, "with": [[1, {"is": "array", "at": 0, "type": "<f8", "shape": [1]}], {"by": 2}]},
            {
                "to": ASKED,
                "value": 1,
                "changed": [],
                "printed": {"stdout": "x"},
                "warned": [],
                "unable": True,
            },
            {
                "to": ASKED,
                "error": {"name": "Own", "kinds": ["ValueError"], "message": "", "args": [""], "parts": []},
                "trace": "",
                "where": "",
            },
        ]
    )
    key = source.PickValueInList(list(made))
    return made | {key: node(source)} | ({"changed": node(source)} if source.ConsumeBool() else {})


def one(data: bytes) -> None:
    source = atheris.FuzzedDataProvider(data)
    sent = b""
    for _ in range(source.ConsumeIntInRange(0, 3)):
        buffers = [source.ConsumeBytes(source.PickValueInList([8, 8, 0, 1, 2, 16])) for _ in range(2)]
        sent += frame(json.dumps(message(source)).encode(), *buffers)
    answered(sent + source.ConsumeBytes(200))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
