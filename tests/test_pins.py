"""The versions that requirements.txt pins are those that gradebox takes."""

import re
import tomllib

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from repository import REPOSITORY

PINNED = re.findall(r"^[A-Za-z].*$", (REPOSITORY / "requirements.txt").read_text(), re.MULTILINE)
PROJECT = tomllib.loads((REPOSITORY / "packages" / "gradebox" / "pyproject.toml").read_text())["project"]


def by_name(lines: list[str]) -> dict[str, Requirement]:
    return {canonicalize_name(one.name): one for one in map(Requirement, lines)}


def test_pinned_versions_are_within_the_bounds():
    extras = [line for lines in PROJECT["optional-dependencies"].values() for line in lines]
    declared, pins = by_name(PROJECT["dependencies"] + extras), by_name(PINNED)
    for name in pins.keys() & declared.keys():
        (pin,) = pins[name].specifier
        assert pin.operator == "==" and declared[name].specifier.contains(pin.version), name
        assert str(pins[name].marker) == str(declared[name].marker), name
