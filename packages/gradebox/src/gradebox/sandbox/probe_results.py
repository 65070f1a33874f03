"""Results of probing which parts of the sandbox work on this machine (see `kernel/sandbox_probe.py`)."""

import json
import subprocess
import sys
from dataclasses import asdict, dataclass, field

from gradebox.sandbox.sandbox import SandboxMechanism

# What is promised, in the order in which it is told.
FILES, PROCESSES, NETWORK, LIMITS, CLEAN_UP = "files", "processes", "network", "limits", "clean-up"
GUARANTEES = (FILES, PROCESSES, NETWORK, LIMITS, CLEAN_UP)


@dataclass(frozen=True)
class MechanismResult:
    """One rung of the ladder that was tried.

    problem: why it can't be used, in one clause. broken: by promise, what student code could do in it all
    the same, each as an end to "student code could ...".
    """

    rung: SandboxMechanism
    problem: str | None = None
    broken: dict[str, list[str]] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Whether all that is promised is kept."""
        return not self.problem and not self.broken

    @property
    def in_force(self) -> str:
        """What contains student code, and what of the promises that keeps."""
        kept = ", ".join(promise for promise in GUARANTEES if promise not in self.broken)
        return f"contained by {self.rung.name}: {kept or 'nothing whole'}"

    @property
    def missing_guarantees(self) -> str | None:
        """What is not kept, as a clause; None if all is."""
        if not self.broken:
            return None
        return "; ".join(
            f"{promise} (student code could {', '.join(what)})" for promise, what in self.broken.items()
        )


@dataclass(frozen=True)
class ProbeResult:
    """What was found out about this machine: the findings, strongest rung first, up to the first whole one.

    general: what is missing whatever the rung; no_landlock: why there is no Landlock; each in one clause.
    """

    findings: tuple[MechanismResult, ...] = ()
    general: str | None = None
    no_landlock: str | None = None

    @property
    def best(self) -> MechanismResult | None:
        """The first rung that keeps all, else the one that keeps most; None if none can be used."""
        usable = [finding for finding in self.findings if not finding.problem]
        return min(usable, key=lambda finding: sum(map(len, finding.broken.values())), default=None)

    @property
    def problem(self) -> str:
        """Why nothing contains student code here, in one clause."""
        found = [f"{finding.rung.name}: {finding.problem}" for finding in self.findings]
        return self.general or "; ".join(filter(None, [self.no_landlock, *found]))

    def text(self) -> str:
        """The same as JSON, for `read`."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str | bytes) -> "ProbeResult":
        said = json.loads(text)
        findings = (
            MechanismResult(**finding | {"rung": SandboxMechanism(**finding["rung"])})
            for finding in said["findings"]
        )
        return cls(tuple(findings), said["general"], said["no_landlock"])

    @classmethod
    def anew(cls) -> "ProbeResult":
        """Find it out, in a process of its own, which has one thread."""
        command = [sys.executable, "-m", "gradebox.kernel.sandbox_probe"]
        return cls.read(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
