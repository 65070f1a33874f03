"""The texts of a student's cells, for tests that read them.

The code below the line is copied into lessons.
"""

import inspect
import linecache


# ------------------------------------------------------------------------------------------------------
def submitted_texts(exercise, name, notebook):
    """Return the text of an exercise's cell, and the texts of the student's other cells.

    In the judge, the grader defines `submitted_cells`, a list of (grade_id, text), because the student's
    process could return any text. In a notebook, Python keeps the text of each cell that has run.
    """
    if "submitted_cells" in notebook:
        cells = notebook["submitted_cells"]
        own = [text for grade_id, text in cells if grade_id == exercise]
        return "\n".join(own[-1:]), [text for grade_id, text in cells if grade_id != exercise]
    files = {}
    for key, value in list(notebook.items()):
        parts = vars(value).values() if isinstance(value, type) else [value]
        functions = [inspect.unwrap(one) for one in parts if callable(one)]
        own = [one for one in functions if getattr(one, "__globals__", None) is notebook]
        if own:
            files[key] = own[0].__code__.co_filename
    texts = {file: "".join(linecache.getlines(file)) for file in files.values()}
    return texts.get(files.get(name), ""), [text for file, text in texts.items() if file != files.get(name)]


def text_of_exercise(defined, notebook):
    """Return the text of the cell that defines these names of an exercise; "" if it is not known.

    In the judge, the cells are read: a cell with a definition of one of the names.
    """
    if "submitted_cells" in notebook:
        texts = [text for _, text in notebook["submitted_cells"]]
        starts = [f"{kind} {name}" for kind in ("def", "class") for name in defined]
        return next((text for text in texts[::-1] if any(start in text for start in starts)), "")
    return next(filter(None, (submitted_texts("", name, notebook)[0] for name in defined)), "")
