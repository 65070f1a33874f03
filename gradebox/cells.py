"""What a cell is called."""

from nbformat.notebooknode import NotebookNode


def name_of(cell: NotebookNode) -> str | None:
    """A cell's grade_id; None where there is none, or something that can't be one."""
    settings = cell.metadata.get("nbgrader")
    name = settings.get("grade_id") if isinstance(settings, dict) else None
    return name if isinstance(name, str) else None
