"""Find cells that asked for a module or for the network, neither of which the grading machine offers.

A module counts as missing if Python reports that a top-level module does not exist, and if no submitted or
supplied file or folder has its name. Python's message about a missing submodule names the package, too
(`No module named 'torch.nothing'`): that package is installed, so nothing is missing.
"""

import re
from collections.abc import Iterable
from pathlib import PurePosixPath

from nbconvert.filters import strip_ansi
from nbformat.notebooknode import NotebookNode

from gradebox.kernel.shell_commands import NO_NETWORK
from gradebox.notebook_metadata import SKIPPED, find_last_error, read_ending, update_record

MISSING_MODULE = re.compile(
    # The message of `check` begins with the call, and contains the error's name and message.
    r"(?:ModuleNotFoundError|ImportError): No module named '([^'.\s]+)'(?=\s|$)"
    # pandas, before and since version 3.
    r"|ImportError: (?:Missing optional dependency '|`Import )([^'`\s]+)"
)
NETWORK_REQUEST = re.compile(
    "Temporary failure in name resolution|Name or service not known|nodename nor servname provided"
    "|Could not resolve host|unable to resolve host|Failed to resolve '|Network is unreachable"
    f"|Could not find a version that satisfies the requirement|{re.escape(NO_NETWORK)}"
)
# The sandbox refuses to create internet sockets, which Python's own module does.
SOCKET_ERRORS, SOCKET_MODULE = ("OSError", "PermissionError"), re.compile(r"[/\\]socket\.py\b")


def record_unavailable_resources(notebook: NotebookNode, files: Iterable[str]) -> None:
    """Record in an executed notebook's cells which module was missing, and which asked for the network.

    files: the relative paths of the files beside the notebook.
    """
    paths = [PurePosixPath(path) for path in files]
    own = {part for path in paths for part in (path.stem, *path.parts[:-1])}
    for cell in notebook.cells:
        if cell.cell_type != "code" or read_ending(cell) in (None, SKIPPED):
            continue
        module = find_missing_module(cell)
        if module and module not in own:
            update_record(cell, missing_module=module)
        if asks_for_network(cell):
            update_record(cell, network=True)


def find_missing_module(cell: NotebookNode) -> str | None:
    """Return the top-level module that a cell's error reports as missing, or None."""
    error = find_last_error(cell)
    found = MISSING_MODULE.search(f"{error.ename}: {error.evalue}") if error else None
    return (found[1] or found[2]) if found else None


def asks_for_network(cell: NotebookNode) -> bool:
    """Return True if a cell's error or printed text shows that it tried to use the network."""
    texts = [output.text for output in cell.outputs if output.output_type == "stream"]
    error = find_last_error(cell)
    if error:
        texts.append(error.evalue)
        trace = strip_ansi("\n".join(map(str, error.traceback)))
        if error.ename in SOCKET_ERRORS and SOCKET_MODULE.search(trace):
            return True
    return any(NETWORK_REQUEST.search(text) for text in texts)
