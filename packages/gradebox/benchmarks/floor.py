"""The floor: the bare time of the cells, in a process that has imported everything.

`floor.py [--draw] FILE...` prints the CPU seconds of each notebook, as JSON. Each runs in a fork, in IPython
without a kernel; with --draw, its figures are drawn as in Jupyter.
"""

import contextlib
import gc
import io
import json
import os
import sys
import time
from typing import Any

import matplotlib
import nbformat
import numpy  # noqa: F401
import torch
import torch._dynamo
from IPython.core.interactiveshell import InteractiveShell

matplotlib.use("module://matplotlib_inline.backend_inline")
import matplotlib.pyplot  # noqa: E402,F401

torch.set_num_threads(1)


def seconds(path: str, draw: bool) -> float:
    """CPU seconds of the code cells of one notebook."""
    notebook = nbformat.read(path, as_version=4)
    reader, writer = os.pipe()
    if os.fork() == 0:
        shell: Any = InteractiveShell.instance()
        shell.enable_gui = lambda *_: None
        if not draw:
            for kind in ("image/png", "image/jpeg", "image/svg+xml", "application/pdf"):
                shell.display_formatter.formatters[kind].enabled = False
        quiet = io.StringIO()
        with contextlib.redirect_stdout(quiet), contextlib.redirect_stderr(quiet):
            start = time.process_time()
            for cell in notebook.cells:
                if cell.cell_type == "code":
                    shell.run_cell(cell.source)
            used = time.process_time() - start
        os.write(writer, json.dumps(used).encode())
        os._exit(0)
    os.close(writer)
    with open(reader) as answer:
        used = json.loads(answer.read())
    os.wait()
    return used


if __name__ == "__main__":
    files = [argument for argument in sys.argv[1:] if argument != "--draw"]
    gc.collect()
    gc.freeze()
    print(json.dumps([seconds(path, "--draw" in sys.argv) for path in files]))
