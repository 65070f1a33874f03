"""Secret key of a course, from which tests derive values that students cannot predict.

The key is created once and stored beside the gradebook. The judge gets one number derived from the key, named
`course_secret`. The number differs between students and between the versions that a student hands in, so that
nothing learnt from a graded version helps in the next. It stays the same when a version is graded again.
Released files and student processes never contain the key or the number.
"""

import hashlib
import hmac
import json
import os
import secrets
from pathlib import Path

from nbformat.notebooknode import NotebookNode

from gradebox.notebook_exercises import is_locked_code_cell

SECRET_FILE = "gradebook.secret"
SECRET_NAME = "course_secret"


def load_course_secret(root: Path) -> str:
    """Return the secret key of the course in this folder, creating the key if necessary. Raises OSError."""
    path = root / SECRET_FILE
    if not path.exists():
        made = path.with_name(f".{SECRET_FILE}-{os.getpid()}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_hex(32), encoding="ascii")
        try:
            # If several processes create a key at the same time, the first one wins.
            os.link(made, path)
        except FileExistsError:
            pass
        except OSError:
            # The file system has no hard links.
            made.replace(path)
        made.unlink(missing_ok=True)
    return path.read_text(encoding="ascii").strip()


def derive_student_secret(root: Path, assignment: str, student: str) -> int:
    """Return the 64-bit number from which those of a student's submissions are derived. Raises OSError."""
    about = f"{assignment}\0{student}".encode()
    return int.from_bytes(hmac.digest(load_course_secret(root).encode(), about, "sha256")[:8])


def derive_submission_secret(student_secret: int, notebook: NotebookNode) -> int:
    """Return the 64-bit number that the tests of a submitted notebook receive."""
    texts = [
        cell.source for cell in notebook.cells if cell.cell_type == "code" and not is_locked_code_cell(cell)
    ]
    about = json.dumps([student_secret, texts]).encode()
    return int.from_bytes(hashlib.sha256(about).digest()[:8])
