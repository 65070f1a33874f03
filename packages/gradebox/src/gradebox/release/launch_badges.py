"""Preprocessor of nbgrader's release step: adds links to Colab, Binder, a JupyterHub or JupyterLite."""

from urllib.parse import quote, urlencode

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, TraitError, Unicode, validate

from gradebox.notebook_exercises import LINKS_CELL_ID
from gradebox.release import notebook_requirements

COLAB_URL, BINDER_URL, GITHUB_URL = (
    "https://colab.research.google.com",
    "https://mybinder.org",
    "https://github.com",
)
# The scientific libraries that JupyterLite's Python includes.
JUPYTERLITE_LIBRARIES = {"matplotlib", "numpy", "pandas", "scipy", "sympy"}


class Links(NbGraderPreprocessor):
    """Preprocessor that adds the configured launch links as the first cell of a released notebook."""

    repository = Unicode(
        "", help="The public GitHub repository, as owner/name. Empty: no links to the repository."
    ).tag(config=True)
    branch = Unicode("main", help="The branch that students open.").tag(config=True)
    colab = Bool(True, help="Add a link to Colab (requires a repository).").tag(config=True)
    binder = Bool(False, help="Add a link to mybinder.org (requires a repository).").tag(config=True)
    hub = Unicode(
        "", help="A JupyterHub with nbgitpuller, such as https://hub.example.edu (requires a repository)."
    ).tag(config=True)
    lite = Unicode(
        "", help="A JupyterLite site with the released notebooks, such as https://example.edu/lite."
    ).tag(config=True)

    @validate("repository")
    def _owner_and_name(self, proposal):
        value = proposal["value"].strip().strip("/")
        if value and len([part for part in value.split("/") if part]) != 2:
            raise TraitError(f"Links.repository must be owner/name, not {value!r}")
        return value

    @validate("hub", "lite")
    def _address(self, proposal):
        value = proposal["value"].strip().rstrip("/")
        if value and not value.startswith(("https://", "http://")):
            name = proposal["trait"].name
            raise TraitError(f"Links.{name} must be an address that begins with https://, not {value!r}")
        return value

    def preprocess(self, nb: NotebookNode, resources: dict) -> tuple[NotebookNode, dict]:
        names = resources["nbgrader"]
        links = self.links(nb, f"{names['assignment']}/{names['notebook']}.ipynb")
        if links:
            nb.cells.insert(0, new_markdown_cell("\n".join(links), id=LINKS_CELL_ID))
        return nb, resources

    def links(self, nb: NotebookNode, path: str) -> list[str]:
        """Return the links, in Markdown. path: the notebook's path in the release folder."""
        links = []
        if self.repository:
            published = self.get_published_path(path)
            links += [self.to_colab(published)] if self.colab else []
            links += [self.to_binder(published)] if self.binder else []
            links += [self.to_hub(published)] if self.hub else []
        if self.runs_in_lite(nb):
            links.append(self.to_lite(path))
        return links

    def runs_in_lite(self, nb: NotebookNode) -> bool:
        """Return True if the course has a JupyterLite site with all libraries that the notebook imports."""
        return bool(self.lite) and notebook_requirements.find_libraries([nb]) <= JUPYTERLITE_LIBRARIES

    def get_published_path(self, path: str) -> str:
        """Return the URL-quoted path of a notebook in the repository that `gradebox publish` writes."""
        return quote(f"{CourseDirectory(parent=self).release_directory}/{path}")

    def to_colab(self, path: str) -> str:
        address = f"{COLAB_URL}/github/{self.repository}/blob/{quote(self.branch)}/{path}"
        return f"[![Open in Colab]({COLAB_URL}/assets/colab-badge.svg)]({address})"

    def to_binder(self, path: str) -> str:
        where = f"{BINDER_URL}/v2/gh/{self.repository}/{quote(self.branch, safe='')}"
        return f"[![Open in Binder]({BINDER_URL}/badge_logo.svg)]({where}?labpath={quote(path, safe='')})"

    def to_hub(self, path: str) -> str:
        """Return a link through nbgitpuller.

        nbgitpuller pulls the repository into the student's home directory and keeps the student's changes.
        """
        name = self.repository.partition("/")[2]
        repository = f"{GITHUB_URL}/{self.repository}"
        pulled = encode_query(repo=repository, branch=self.branch, urlpath=f"lab/tree/{name}/{path}")
        return f"[Open on the JupyterHub]({self.hub}/hub/user-redirect/git-pull?{pulled})"

    def to_lite(self, path: str) -> str:
        return f"[Open without installing anything]({self.lite}/lab/index.html?{encode_query(path=path)})"


def encode_query(**what: str) -> str:
    return urlencode(what, quote_via=quote, safe="")
