"""The secret of a course: tests draw from it what no student can know, such as the order of a hidden panel.

It is made once, and lies beside the gradebook. A judge knows one number of it, under the name
`course_secret`, which differs from student to student, and is the same when a submission is graded again.
Nothing that is released holds it, and no student's process does.
"""

import hmac
import os
import secrets
from pathlib import Path

SECRET_FILE = "gradebook.secret"
SECRET_NAME = "course_secret"


def load_course_secret(root: Path) -> str:
    """The secret of the course in this folder, made if there is none yet. Raises OSError."""
    path = root / SECRET_FILE
    if not path.exists():
        made = path.with_name(f".{SECRET_FILE}-{os.getpid()}")
        made.touch(mode=0o600)
        made.write_text(secrets.token_hex(32), encoding="ascii")
        try:
            # Of several that make one at the same time, the first has made it.
            os.link(made, path)
        except FileExistsError:
            pass
        except OSError:
            # A file system without hard links.
            made.replace(path)
        made.unlink(missing_ok=True)
    return path.read_text(encoding="ascii").strip()


def derive_student_secret(root: Path, assignment: str, student: str) -> int:
    """The number that tests of a student's submission know: 64 bits. Raises OSError."""
    about = f"{assignment}\0{student}".encode()
    return int.from_bytes(hmac.digest(load_course_secret(root).encode(), about, "sha256")[:8])
