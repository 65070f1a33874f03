"""The *Open in Colab* badge, as a preprocessor of nbgrader's release step."""

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import TraitError, Unicode, validate

BADGE = "https://colab.research.google.com/assets/colab-badge.svg"
COLAB = "https://colab.research.google.com/github"


class ColabBadge(NbGraderPreprocessor):
    """Puts a badge that opens the released notebook in Colab on top of it.

    Does nothing while the course has no public repository.
    """

    repository = Unicode("", help="The public GitHub repository, as owner/name. Empty: no badge.").tag(
        config=True
    )
    branch = Unicode("main", help="The branch that students open.").tag(config=True)

    @validate("repository")
    def _owner_and_name(self, proposal):
        value = proposal["value"].strip().strip("/")
        if value and len([part for part in value.split("/") if part]) != 2:
            raise TraitError(f"ColabBadge.repository must be owner/name, not {value!r}")
        return value

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        if self.repository:
            names = resources["nbgrader"]
            folder = CourseDirectory(parent=self).release_directory
            path = f"{folder}/{names['assignment']}/{names['notebook']}.ipynb"
            link = f"{COLAB}/{self.repository}/blob/{self.branch}/{path}"
            cell = new_markdown_cell(f"[![Open in Colab]({BADGE})]({link})", id="open-in-colab")
            nb.cells.insert(0, cell)
        return nb, resources
