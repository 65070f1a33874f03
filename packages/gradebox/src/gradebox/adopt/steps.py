"""What a course that has steps of its own keeps of them."""

from collections.abc import Iterator

from traitlets.config import Config

from gradebox import OURS, STEPS, called


def own_steps(config: Config) -> Iterator[str]:
    """Which steps are the course's own, and which of gradebox's they leave out; a clause each."""
    for (section, name), ours in STEPS.items():
        found = [called(step) for step in config[section][name]]
        where = f"c.{section}.{name}"
        own = [step for step in found if step.split(".")[0] not in ("gradebox", "nbgrader", "nbconvert")]
        left_out = [step for step in ours if step.startswith(OURS) and step not in found]
        if own:
            yield f"{where} has steps of the course's own, which stay: {', '.join(own)}"
        if left_out:
            yield f"{where} has no place for {', '.join(left_out)}: what they do is not done"
