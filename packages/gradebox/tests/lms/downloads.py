"""Archives as Moodle, Canvas and Gradescope make them: their own rules for names, in Python.

Each rule names the file of the platform's source that it is read from.
"""

import json
import re
import zipfile
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path


@dataclass(frozen=True)
class Upload:
    """A file that a student has uploaded. attachment: Canvas's number of it; later ones have larger ones."""

    student: str
    number: int
    file: str
    content: str | bytes
    attachment: int = 0
    late: bool = False


def write(path: Path, files: dict[str, str | bytes]) -> Path:
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return path


def moodle(path: Path, uploads: list[Upload], folders: bool = True, old: bool = False) -> Path:
    """Moodle, mod/assign/classes/downloader.php (4.1 and newer), and what it was before (old).

    student: the full name.
    """

    def clean(name: str) -> str:
        return re.sub(r"[\x00-\x1f&<>\"`|':\\/]", "", name)

    files = {}
    for one in uploads:
        prefix = clean(f"{one.student.replace('_', ' ')}_{one.number}")
        between = "_/" if old else "/"
        name = f"{prefix}_assignsubmission_file{between if folders else '_'}{clean(one.file)}"
        files[name] = one.content
    return write(path, files)


def canvas(path: Path, uploads: list[Upload], old: bool = False) -> Path:
    """Canvas, lib/content_zipper.rb; old: when all in front of the numbers was in small letters.

    student: the sortable name, "Last, First".
    """
    files = {}
    for one in uploads:
        name = re.sub(r"[^\w]", "", re.sub(r"_(\d+)_", r"\1", one.student)).lower()
        late = ("late" if old else "LATE",) if one.late else ()
        shown = re.sub(r'[\x00/\\:*?"<>|]+', "_", one.file)
        files["_".join((name, *late, str(one.number), str(one.attachment), shown))] = one.content
    return write(path, files)


def gradescope(
    path: Path, uploads: list[Upload], received: dict[int, datetime], emails: dict[str, str]
) -> Path:
    """Gradescope's *Export submissions*: a folder for each submission, and a list in YAML of them.

    student: the full name; number: of the submission.
    """
    lines, files = ["---"], {}
    for number in dict.fromkeys(one.number for one in uploads):
        mine = [one for one in uploads if one.number == number]
        lines += [f"submission_{number}:", "  :submitters:"]
        for name in dict.fromkeys(one.student for one in mine):
            lines += [f"  - :name: {json.dumps(name, ensure_ascii=False)}", "    :sid: ''"]
            lines += [f"    :email: {emails[name]}"]
        lines += [f"  :created_at: {received[number]:%Y-%m-%d %H:%M:%S}.899837000 Z", "  :status: processed"]
        for one in mine:
            files[f"assignment_7_export/submission_{number}/{one.file}"] = one.content
    files["assignment_7_export/submission_metadata.yml"] = "\n".join([*lines, ""])
    return write(path, files)
