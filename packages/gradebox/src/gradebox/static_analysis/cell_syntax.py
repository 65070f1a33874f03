"""Whether a cell's text is Python, as IPython takes it."""

import ast
import re
from dataclasses import dataclass
from functools import lru_cache
from warnings import catch_warnings

from nbformat.notebooknode import NotebookNode

from gradebox.static_analysis.test_names import NAMES_CACHE_SIZE

# Magics of a whole cell that run what stands below them as it is.
PYTHON_CELL_MAGIC = re.compile(r"%%(capture|prun|time|timeit)\b")
# Magics that are all of a cell, of which IPython asks no %.
AUTOMAGIC = re.compile(
    r"\s*(cat|cd|conda|cp|load_ext|ls|mamba|matplotlib|mkdir|mv|pip|pylab|rm|run|uv) [^\n]*\s*"
)
# So much of a line is shown.
MAX_SHOWN_CHARS = 80


@dataclass(frozen=True)
class SyntaxProblem:
    """Why a text is no Python. line: from 1; None where none is to blame."""

    what: str
    line: int | None = None


@lru_cache(maxsize=NAMES_CACHE_SIZE)
def find_syntax_problem(source: str) -> SyntaxProblem | None:
    """What of a cell is no Python; None if all is, or if a magic says that it is to be something else."""
    from IPython.core.inputtransformer2 import TransformerManager

    # IPython counts lines from the first that says something.
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
        # What is compiled may differ from the cell, which has magics.
        shown = lines[line - 1].strip() if error.lineno and line <= len(lines) else ""
        said = f" in {shown[:MAX_SHOWN_CHARS]!r}" if shown else ""
        return SyntaxProblem(f"{type(error).__name__}{said}: {error.msg}", line if said else None)
    except ValueError as error:
        return SyntaxProblem(f"{type(error).__name__}: {error}")
    except (RecursionError, MemoryError):
        # It is nested too deeply to be looked at.
        return None
    return None


def is_python_notebook(notebook: NotebookNode) -> bool:
    """Whether the cells of a notebook are in Python, as far as it says."""
    kernel = notebook.metadata.get("kernelspec", {})
    language = kernel.get("language") or notebook.metadata.get("language_info", {}).get("name")
    return "python" in str(language or kernel.get("name", "python")).lower()
