"""Secret key of a course, from which tests derive values that students cannot predict.

The key is created once and stored beside the gradebook. The judge gets one number derived from the key, named
`course_secret`. The number depends on every byte of a submission, the files beside the notebook and the time
in `timestamp.txt` included, so that nothing learnt from a graded attempt helps in the next. It stays the same
when an attempt is graded again. Released files and student processes never contain the key or the number.
"""

import hashlib
import hmac
import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

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


def derive_submission_secret(root: Path, assignment: str, student: str, files: Mapping[str, bytes]) -> int:
    """Return the 64-bit number that the tests of a submission receive. Raises OSError.

    files: all files as they were handed in, by relative path.
    """
    hashes = sorted((path, hashlib.sha256(content).hexdigest()) for path, content in files.items())
    about = json.dumps([assignment, student, hashes]).encode()
    return int.from_bytes(hmac.digest(load_course_secret(root).encode(), about, "sha256")[:8])
