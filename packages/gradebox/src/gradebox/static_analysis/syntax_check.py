"""Syntax check of code cells: Python as accepted by IPython, including magics."""

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from warnings import catch_warnings

from nbformat.notebooknode import NotebookNode

from gradebox.static_analysis.cell_names import NAMES_CACHE_SIZE

# Cell magics that run the rest of the cell as plain Python.
PYTHON_CELL_MAGIC = re.compile(r"%%(capture|prun|time|timeit)\b")
# Magics that IPython also accepts without % if they are the whole cell.
AUTOMAGIC = re.compile(
    r"\s*(cat|cd|conda|cp|load_ext|ls|mamba|matplotlib|mkdir|mv|pip|pylab|rm|run|uv) [^\n]*\s*"
)
# Maximum length of a line quoted in a message.
MAX_SHOWN_CHARS = 80


@dataclass(frozen=True)
class SyntaxProblem:
    """A syntax error in a cell. what: the message. line: line number from 1; None if unknown."""

    what: str
    line: int | None = None


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def find_syntax_problem(source: str) -> SyntaxProblem | None:
    """Return the syntax error of a cell; None if the cell is valid Python.

    A cell whose magic declares other content (such as `%%bash`) has no syntax error.
    """
    from IPython.core.inputtransformer2 import TransformerManager

    # IPython counts lines from the first line that is not blank.
    lines = source.split("\n")
    above = next((k for k, line in enumerate(lines) if line.strip() and not PYTHON_CELL_MAGIC.match(line)), 0)
    text = "\n".join(lines[above:])
    if text.startswith("%%"):
        return None
    try:
        with catch_warnings(action="ignore"):
            python = TransformerManager().transform_cell(text)
            compile(python, "", "exec", ast.PyCF_ALLOW_TOP_LEVEL_AWAIT, dont_inherit=True)
    except SyntaxError as error:
        if AUTOMAGIC.fullmatch(text):
            return None
        line = (error.lineno or 0) + above
        # Line numbers in the compiled code may differ from the cell's, because magics were transformed.
        shown = lines[line - 1].strip() if error.lineno and line <= len(lines) else ""
        said = f" in {shown[:MAX_SHOWN_CHARS]!r}" if shown else ""
        return SyntaxProblem(f"{type(error).__name__}{said}: {error.msg}", line if said else None)
    except ValueError as error:
        return SyntaxProblem(f"{type(error).__name__}: {error}")
    except (RecursionError, MemoryError):
        # The cell is nested too deeply for the compiler.
        return None
    return None


def is_python_notebook(notebook: NotebookNode) -> bool:
    """Return True if the notebook's metadata declares Python or no language."""
    kernel = notebook.metadata.get("kernelspec", {})
    language = kernel.get("language") or notebook.metadata.get("language_info", {}).get("name")
    return "python" in str(language or kernel.get("name", "python")).lower()
