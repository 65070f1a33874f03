"""Fuzzing of all that a driver reads of a kernel, led by the lines that it runs: `make fuzz`.

An input is made into what a student's process sends while a cell runs: mostly frames that look like some.
Whatever it is, what comes of it is a cell that can be written to a file, or an error that says so.
"""

import sys

import atheris

with atheris.instrument_imports(
    include=[
        "gradebox.kernel.frames",
        "gradebox.execute.output_collector",
        "gradebox.execute.forked_session",
        "gradebox.sanitize.notebook_cells",
    ]
):
    from gradebox.execute.forked_session import write_cell_result
    from gradebox.execute.output_collector import OutputCollector
    from gradebox.kernel.frames import ConnectionClosedError, FrameSocket, MalformedMessageError, pack_frame

import socket
from contextlib import suppress

import nbformat
from nbformat.v4 import new_code_cell, new_notebook

KINDS = "stream display_data execute_result error clear_output update_display_data comm_open".split()
KEYS = "name text data metadata transient execution_count ename evalue traceback wait".split()
TYPES = "text/plain text/html image/png image/svg+xml text/markdown application/json display_id".split()
WORDS = [None, True, 0, -1, 2**70, 0.5, "", "stdout", "k", "\ud800", "<b>x", "iVBORw0KGgo="]
LIMIT = 5000


def value(source: atheris.FuzzedDataProvider, deep: int = 0) -> object:
    choice = source.ConsumeIntInRange(0, 6 if deep < 4 else 3)
    if choice == 0:
        return source.PickValueInList(WORDS)
    if choice in (1, 2):
        return source.ConsumeUnicode(20)
    if choice == 3:
        return source.ConsumeIntInRange(-3, 2**40)
    if choice == 4:
        return [value(source, deep + 1) for _ in range(source.ConsumeIntInRange(0, 3))]
    keys = TYPES if choice == 5 else KEYS
    many = range(source.ConsumeIntInRange(0, 3))
    return {source.PickValueInList(keys): value(source, deep + 1) for _ in many}


def frame(source: atheris.FuzzedDataProvider) -> dict:
    if source.ConsumeIntInRange(0, 5) == 0:
        return {"end": value(source), "count": value(source), "error": value(source)}
    content = {key: value(source) for key in KEYS if source.ConsumeIntInRange(0, 2) == 0}
    made = {"m": source.PickValueInList(KINDS), "c": content}
    return made | ({"m": value(source)} if source.ConsumeIntInRange(0, 9) == 0 else {})


def taken(sent: bytes) -> None:
    """What a driver makes of it, as `warm.Turn.take` does."""
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with suppress(BlockingIOError):
        theirs.send(sent)
    theirs.close()
    frames, outputs, cell = FrameSocket(ours), OutputCollector(LIMIT), new_code_cell()
    outputs.begin(cell)
    with suppress(ConnectionClosedError, MalformedMessageError):
        while True:
            found = frames.receive()[0]
            if "end" in found:
                write_cell_result(cell, found, None)
                break
            if isinstance(found.get("c"), dict):
                outputs.take(str(found.get("m")), found["c"])
    ours.close()
    text = nbformat.writes(new_notebook(cells=[cell]))
    nbformat.validate(nbformat.reads(text, as_version=4))
    assert len(text) < 40 * LIMIT, len(text)


def one(data: bytes) -> None:
    source = atheris.FuzzedDataProvider(data)
    sent = b"".join(pack_frame(frame(source)) for _ in range(source.ConsumeIntInRange(0, 5)))
    taken(sent + source.ConsumeBytes(200))


if __name__ == "__main__":
    atheris.Setup(sys.argv, one)
    atheris.Fuzz()
