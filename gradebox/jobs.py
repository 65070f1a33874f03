"""What travels to a worker and back: a submission as bytes, and its executed notebooks as bytes."""

import json
from dataclasses import asdict, dataclass, field
from typing import Any

import cloudpickle
import nbformat
from traitlets.config import Config

from gradebox.execute import Execute
from gradebox.isolation import Refused
from gradebox.kernels.provisioner import NotContained


@dataclass(frozen=True)
class Job:
    """One submission, ready to run.

    notebooks, sources: the sanitised notebooks and the instructor's, as JSON, by name. files: what lies
    beside them, by relative path; given: what the instructor has put there. secret: what tests know of the
    course's secret (see `secret.py`). settings: the sections of the configuration that are for Execute.
    """

    notebooks: dict[str, str]
    sources: dict[str, str]
    files: dict[str, bytes] = field(default_factory=dict)
    given: dict[str, bytes] = field(default_factory=dict)
    secret: int | None = None
    settings: dict[str, Any] = field(default_factory=dict)

    def packed(self) -> bytes:
        return cloudpickle.dumps(self)


def settings(config: Config) -> dict[str, Any]:
    """What of a configuration concerns Execute."""
    names = {cls.__name__ for cls in Execute.__mro__}
    return {name: dict(section) for name, section in config.items() if name in names}


def in_words(error: Exception) -> str:
    """An error in one line."""
    said = str(error).strip().splitlines()
    return f"{type(error).__name__}: {said[0]}" if said else type(error).__name__


def run(packed: bytes) -> bytes:
    """Run a packed Job. Returns JSON: {"notebooks": the executed ones by name, "in_force": an InForce}, or
    {"problem": why not}.
    """
    job: Job = cloudpickle.loads(packed)
    try:
        execute = Execute(config=Config(job.settings))
        executed = {}
        for name, notebook in job.notebooks.items():
            nb = nbformat.reads(notebook, as_version=4)
            source = nbformat.reads(job.sources[name], as_version=4)
            execute.grade(nb, source, job.files, job.given, job.secret)
            executed[name] = nbformat.writes(nb)
        return json.dumps({"notebooks": executed, "in_force": asdict(execute.in_force())}).encode()
    except (NotContained, Refused) as error:
        return json.dumps({"problem": f"{error}; nothing is wrong with what was handed in"}).encode()
    except Exception as error:
        return json.dumps({"problem": f"it could not be run: {in_words(error)}"}).encode()
