"""Results of probing the sandbox mechanisms of this machine (see `kernel/sandbox_probe.py`)."""

from __future__ import annotations

import json
import subprocess
import sys
from dataclasses import asdict, dataclass, field

from gradebox.sandbox.sandbox import SandboxMechanism

# The guarantees of the sandbox, in the order of reports.
FILES, PROCESSES, NETWORK, LIMITS, CLEAN_UP = "files", "processes", "network", "limits", "clean-up"
GUARANTEES = (FILES, PROCESSES, NETWORK, LIMITS, CLEAN_UP)


@dataclass(frozen=True)
class MechanismResult:
    """Result for one mechanism.

    problem: the reason why the mechanism can't be used, in one clause. broken: by guarantee, the attacks that
    succeeded, each as a phrase that completes "student code could ...".
    """

    rung: SandboxMechanism
    problem: str | None = None
    broken: dict[str, list[str]] = field(default_factory=dict)

    @property
    def whole(self) -> bool:
        """Return True if all guarantees are kept."""
        return not self.problem and not self.broken

    @property
    def in_force(self) -> str:
        """Return the name of the mechanism and the guarantees that are kept."""
        kept = ", ".join(promise for promise in GUARANTEES if promise not in self.broken)
        return f"contained by {self.rung.name}: {kept or 'no guarantee in full'}"

    @property
    def missing_guarantees(self) -> str | None:
        """Return the broken guarantees as a clause, or None."""
        if not self.broken:
            return None
        return "; ".join(
            f"{promise} (student code could {', '.join(what)})" for promise, what in self.broken.items()
        )


@dataclass(frozen=True)
class ProbeResult:
    """Result for this machine: the findings, strongest mechanism first, up to the first whole one.

    general: a requirement of all mechanisms that is missing, in one clause.
    """

    findings: tuple[MechanismResult, ...] = ()
    general: str | None = None

    @property
    def best(self) -> MechanismResult | None:
        """Return the usable mechanism with the fewest successful attacks, or None."""
        usable = [finding for finding in self.findings if not finding.problem]
        return min(usable, key=lambda finding: sum(map(len, finding.broken.values())), default=None)

    @property
    def problem(self) -> str:
        """Return the reason why student code can't be contained here, in one clause."""
        found = [f"{finding.rung.name}: {finding.problem}" for finding in self.findings]
        return self.general or "; ".join(found)

    def text(self) -> str:
        """Serialize the result as JSON, for `read`."""
        return json.dumps(asdict(self))

    @classmethod
    def read(cls, text: str | bytes) -> ProbeResult:
        said = json.loads(text)
        findings = (
            MechanismResult(**finding | {"rung": SandboxMechanism(**finding["rung"])})
            for finding in said["findings"]
        )
        return cls(tuple(findings), said["general"])

    @classmethod
    def anew(cls) -> ProbeResult:
        """Probe this machine in a separate process with a single thread."""
        command = [sys.executable, "-m", "gradebox.kernel.sandbox_probe"]
        return cls.read(subprocess.run(command, stdout=subprocess.PIPE, check=True).stdout)
