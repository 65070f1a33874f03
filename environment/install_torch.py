"""Installs torch into the environment whose Python runs this, on Linux without CUDA if that can be had.

The public index's torch for Linux brings CUDA along, gigabytes that no lesson uses. PyTorch has an index of
its own for torch without, PYTORCH_INDEX, which is asked first. TORCH_INDEX names an index from which torch
must come instead, or, if it is empty, none: then torch is whatever pip finds.

All else, what torch itself needs included, comes from where pip is told to look. So the wheel that is chosen
here is installed alone, by its address: with a second index for all, anything might come from either.

Nothing but pip is installed yet when this runs. An argument is another version than the pinned one.
"""

import http.client
import importlib.metadata
import json
import os
import platform
import re
import subprocess
import sys
import threading
import urllib.error
import urllib.request
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

# Which wheels fit this Python and this machine: pip knows, and has no command that tells.
from pip._vendor.packaging.specifiers import SpecifierSet
from pip._vendor.packaging.tags import sys_tags
from pip._vendor.packaging.utils import InvalidWheelFilename, parse_wheel_filename

# Seconds until an index has begun to answer, and until all of its answer is here.
BEGINS, ENDS = 3, 60
# Roughly, and of the whole environment, as nobody installs torch alone.
WITHOUT_CUDA = "without CUDA: the environment downloads about 0.3 GB and takes 1.5 GB"
WITH_CUDA = "with CUDA: the environment downloads about 2.8 GB and takes 5.2 GB"
PIP = (sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check")


class Nothing(Exception):
    """An index has no torch for us. The message is a clause that says why."""


def main() -> None:
    pins = Path(__file__).resolve().parent.parent / "requirements.txt"
    pinned = re.search(r"^torch==(\S+)", pins.read_text(encoding="utf-8"), re.MULTILINE)[1]
    pin = f"=={sys.argv[1] if sys.argv[1:] else pinned}"
    try:
        if importlib.metadata.version("torch") in SpecifierSet(pin):
            return
    except importlib.metadata.PackageNotFoundError:
        pass
    named = os.environ.get("TORCH_INDEX")
    index = named
    if named is None:
        # Elsewhere the public index has it without CUDA, too.
        index = os.environ.get("PYTORCH_INDEX") if sys.platform == "linux" else None
    why = ""
    if index:
        try:
            wheel = fitting_wheel(index, pin)
        except Nothing as nothing:
            if named:
                sys.exit(f"TORCH_INDEX: {nothing}. Name another, or none (TORCH_INDEX=) for what pip finds.")
            why = f" ({nothing})"
        else:
            version = str(parse_wheel_filename(name_of(wheel))[1])
            cost = f", {WITHOUT_CUDA}" if version.endswith("+cpu") else f"; if {WITH_CUDA}"
            print(f"torch {version} from {index}{cost}", flush=True)
            run = subprocess.run([*PIP, "install", "--no-deps", wheel])
            if run.returncode:
                sys.exit("torch could not be installed, see above; run make again once that is mended.")
            return
    print(f"torch {what_pip_finds(pin)}{why}", flush=True)


def fitting_wheel(index: str, pin: str) -> str:
    """The address of the wheel on an index that pip would choose, or Nothing."""
    if "@" in index:
        # pip has ways to keep one; here it would be printed.
        raise Nothing("an address with a password belongs into pip's own configuration")
    address, page = ask(f"{index.rstrip('/')}/torch/")
    links = Links()
    links.feed(page)
    versions = SpecifierSet(pin)
    order = {tag: -place for place, tag in enumerate(sys_tags())}
    fitting = []
    for link in links.found:
        try:
            name, version, build, tags = parse_wheel_filename(name_of(link))
        except InvalidWheelFilename:
            continue
        places = [order[tag] for tag in tags if tag in order]
        if name == "torch" and version in versions and places:
            fitting.append((version, max(places), build, urljoin(address, link)))
    if not fitting:
        here = f"Python {platform.python_version()} on {platform.system()} {platform.machine()}"
        raise Nothing(f"{index} has no torch{pin} for {here}")
    return max(fitting)[-1]


class Links(HTMLParser):
    """What a page links to."""

    def __init__(self):
        super().__init__()
        self.found = []

    def handle_starttag(self, tag: str, attributes: list) -> None:
        if tag == "a":
            self.found += [value for key, value in attributes if key == "href" and value]


def ask(address: str) -> tuple[str, str]:
    """A page and its final address, or Nothing.

    In a thread of its own, because looking up a name can take longer than any limit that a socket has.
    """
    begun, answers, reasons = threading.Event(), [], []

    def get() -> None:
        try:
            # The socket's limit is for pauses later on; at the beginning, nobody waits for it.
            with urllib.request.urlopen(address, timeout=2 * BEGINS) as answer:
                begun.set()
                answers.append((answer.url, answer.read().decode()))
        except urllib.error.HTTPError as error:
            reasons.append(f"HTTP {error.code} {error.reason}")
        except (OSError, ValueError, http.client.HTTPException) as error:
            reasons.append(str(getattr(error, "reason", error)))
        begun.set()

    thread = threading.Thread(target=get, daemon=True)
    thread.start()
    if begun.wait(BEGINS):
        thread.join(ENDS)
    if not answers:
        reason = reasons[0] if reasons else f"it takes longer than {BEGINS} seconds"
        raise Nothing(f"{address} does not answer: {reason}")
    return answers[0]


def name_of(link: str) -> str:
    return unquote(urlsplit(link).path).rpartition("/")[2]


def what_pip_finds(pin: str) -> str:
    """Which torch pip would install, in words."""
    command = (
        *PIP,
        "install",
        "--dry-run",
        "--ignore-installed",
        "--no-deps",
        "--report",
        "-",
        f"torch{pin}",
    )
    run = subprocess.run(command, stdout=subprocess.PIPE)
    if run.returncode:
        sys.exit(f"pip finds no torch{pin}, see above.")
    (torch,) = json.loads(run.stdout)["install"]
    needs = torch["metadata"].get("requires_dist", [])
    cuda = sys.platform == "linux" and any(need.startswith(("nvidia-", "cuda-")) for need in needs)
    address = urlsplit(torch["download_info"]["url"])
    place = address.netloc or address.path.rpartition("/")[0]
    return f"{torch['metadata']['version']} from {place}, {WITH_CUDA if cuda else WITHOUT_CUDA}"


if __name__ == "__main__":
    main()
