"""Write the reference pages of the documentation from the code: commands, settings and public names."""

import inspect
import pkgutil
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import typer
from traitlets import TraitType
from traitlets.config import Configurable
from typer.cli import get_docs_for_click

import gradebox
from gradebox import preprocessors
from gradebox.app import app

# These modules change the process that imports them.
NOT_IMPORTED = {"gradebox.__main__", "gradebox.stub_heavy_packages", "gradebox.kernel.application"}


def write_reference(folder: Path) -> None:
    """Write the pages to a folder. An unchanged page keeps its time, so Sphinx does not read it again."""
    folder.mkdir(exist_ok=True)
    pages = {
        "commands.md": describe_commands(),
        "settings.md": describe_settings(),
        "names.md": describe_names(),
    }
    for name, text in pages.items():
        path = folder / name
        if not path.is_file() or path.read_text(encoding="utf-8") != text:
            path.write_text(text, encoding="utf-8")


def describe_commands() -> str:
    """Return a page with each command, its arguments and its options."""
    command = typer.main.get_command(app)
    return get_docs_for_click(
        obj=command, ctx=typer.Context(command), name="gradebox", title="Commands and their options"
    )


def describe_settings() -> str:
    """Return a page with the settings of each class, in Markdown tables."""
    example = 'Set them in `nbgrader_config.py`, for example `c.Dates.timezone = "Europe/Berlin"`.'
    parts = ["# Settings", "", example, ""]
    for one in sorted(find_configurables(), key=lambda one: one.__name__):
        parts += [f"## c.{one.__name__}", "", first_paragraph(one), ""]
        parts += ["| setting | default | meaning |", "|---|---|---|"]
        for name, trait in sorted(list_settings(one).items()):
            default = trait.default_value_repr()
            parts.append(f"| `{name}` | `{default}` | {' '.join(trait.help.split())} |")
        parts.append("")
    return "\n".join(parts)


def find_configurables() -> Iterator[type[Configurable]]:
    """Yield gradebox's classes with settings, but not the base classes of others."""
    for module in pkgutil.walk_packages(gradebox.__path__, "gradebox."):
        if module.name not in NOT_IMPORTED:
            for _, one in inspect.getmembers(import_module(module.name), inspect.isclass):
                own = one.__module__ == module.name and issubclass(one, Configurable)
                if own and not one.__subclasses__() and list_settings(one):
                    yield one


def list_settings(one: type[Configurable]) -> dict[str, TraitType]:
    """Return the settings that gradebox adds to a class of its own or of nbgrader, by name."""
    traits = one.class_traits(config=True).items()
    return {
        name: trait
        for name, trait in traits
        if trait.help and trait.this_class.__module__.startswith("gradebox.")
    }


def first_paragraph(documented: object) -> str:
    """Return the first paragraph of a docstring in one line."""
    return " ".join((inspect.getdoc(documented) or "").partition("\n\n")[0].split())


def describe_names() -> str:
    """Return a page with the names that a course's configuration may use."""
    parts = ["# Names for nbgrader_config.py", ""]
    parts += [
        "```{eval-rst}",
        ".. automodule:: gradebox",
        "   :members:",
        "```",
        "",
        "## gradebox.preprocessors",
        "",
    ]
    parts += [first_paragraph(preprocessors), "", "| name | meaning |", "|---|---|"]
    parts += [
        f"| `{name}` | {first_paragraph(getattr(preprocessors, name))} |"
        for name in sorted(preprocessors.PLACES)
    ]
    return "\n".join([*parts, ""])
