"""Fuzz all that the judge receives, guided by coverage: `make fuzz`.

An input becomes the frames that a student's process sends in reply to one request: most look like valid ones.
The judge must decode data, raise an error that a test may expect, or report that the channel is broken.
"""

import sys

import atheris

with atheris.instrument_imports(
    include=[
        f"gradebox.judge.{name}"
        for name in ("rpc_client", "handles", "codec", "remote_exceptions", "pandas_codec", "writeback")
    ]
):
    from gradebox.judge import codec

import json

from test_protocol import ASKED, PERMISSIONS, TYPES, answered, frame

KINDS = [*codec.NODE_DECODERS, *codec.STANDARD_DECODERS, "object", "function", "pickle"]
KEYS = "at type shape hex on of number name fields order fixed class can error".split()
WORDS = [
    *TYPES,
    *sorted(codec.TENSOR_DTYPES),
    "cpu",
    "meta",
    "cuda",
    "F",
    "StopIteration",
    "KeyError",
    "Broken",
    "f" * 50,
    "\ud800",
]


def node(source: atheris.FuzzedDataProvider, deep: int = 0) -> codec.Node:
    """Return a part of a message."""
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


def message(source: atheris.FuzzedDataProvider) -> dict[str, codec.Node]:
    """Return a message, sometimes with a part that is wrong."""
    made = source.PickValueInList(
        [
            {"to": ASKED, "value": 1, "changed": []},
            {"call": 0, "with": [[], {}]},
            {"call": 0, "with": [[1, {"is": "array", "at": 0, "type": "<f8", "shape": [1]}], {"by": 2}]},
            {"to": ASKED, "value": 1, "changed": [], "unable": True},
            {
                "to": ASKED,
                "value": {"is": "object", "number": 1, "class": [["__main__", "A"]], "can": 3},
                "changed": [],
            },
            {"to": ASKED, "value": [1], "changed": [[0, {"is": "bytes", "at": 0}]], "drawn": ["numpy"]},
            {
                "to": ASKED,
                "error": {
                    "classes": [["__main__", "Own", 3], ["builtins", "ValueError"]],
                    "message": "",
                    "shown": "",
                    "args": [""],
                },
                "changed": [],
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
    permission = PERMISSIONS[source.ConsumeBool()]
    answered(sent + source.ConsumeBytes(200), permission)


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
