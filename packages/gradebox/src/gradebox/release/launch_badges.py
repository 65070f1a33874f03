"""Links on top of a released notebook that open it elsewhere: a preprocessor of nbgrader's release step."""

from urllib.parse import quote, urlencode

from nbformat.notebooknode import NotebookNode
from nbformat.v4 import new_markdown_cell
from nbgrader.coursedir import CourseDirectory
from nbgrader.preprocessors import NbGraderPreprocessor
from traitlets import Bool, TraitError, Unicode, validate

from gradebox.release import notebook_requirements

COLAB_URL, BINDER_URL, GITHUB_URL = (
    "https://colab.research.google.com",
    "https://mybinder.org",
    "https://github.com",
)
# What JupyterLite's Python has of the libraries that lessons are about.
JUPYTERLITE_LIBRARIES = {"matplotlib", "numpy", "pandas", "scipy", "sympy"}


class Links(NbGraderPreprocessor):
    """Puts links that open the released notebook elsewhere on top of it: those that the course asks for."""

    repository = Unicode("", help="The public GitHub repository, as owner/name. Empty: no links to it.").tag(
        config=True
    )
    branch = Unicode("main", help="The branch that students open.").tag(config=True)
    colab = Bool(True, help="Whether there is a link to Colab, if there is a repository.").tag(config=True)
    binder = Bool(False, help="Whether there is a link to mybinder.org, if there is a repository.").tag(
        config=True
    )
    hub = Unicode(
        "", help="A JupyterHub with nbgitpuller, such as https://hub.example.edu; it needs a repository, too."
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
            nb.cells.insert(0, new_markdown_cell("\n".join(links), id="open-elsewhere"))
        return nb, resources

    def links(self, nb: NotebookNode, path: str) -> list[str]:
        """Return the links, in Markdown. path: that of the notebook among the released ones."""
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
        """Whether the course has a JupyterLite site, and the notebook imports nothing that is not there."""
        return bool(self.lite) and notebook_requirements.find_libraries([nb]) <= JUPYTERLITE_LIBRARIES

    def get_published_path(self, path: str) -> str:
        """Return the path in the repository that `gradebox publish` writes to, for an address."""
        return quote(f"{CourseDirectory(parent=self).release_directory}/{path}")

    def to_colab(self, path: str) -> str:
        address = f"{COLAB_URL}/github/{self.repository}/blob/{quote(self.branch)}/{path}"
        return f"[![Open in Colab]({COLAB_URL}/assets/colab-badge.svg)]({address})"

    def to_binder(self, path: str) -> str:
        where = f"{BINDER_URL}/v2/gh/{self.repository}/{quote(self.branch, safe='')}"
        return f"[![Open in Binder]({BINDER_URL}/badge_logo.svg)]({where}?labpath={quote(path, safe='')})"

    def to_hub(self, path: str) -> str:
        """Through nbgitpuller, which brings the repository into the student's home, and keeps their work."""
        name = self.repository.partition("/")[2]
        repository = f"{GITHUB_URL}/{self.repository}"
        pulled = encode_query(repo=repository, branch=self.branch, urlpath=f"lab/tree/{name}/{path}")
        return f"[Open on the JupyterHub]({self.hub}/hub/user-redirect/git-pull?{pulled})"

    def to_lite(self, path: str) -> str:
        return f"[Open without installing anything]({self.lite}/lab/index.html?{encode_query(path=path)})"


def encode_query(**what: str) -> str:
    return urlencode(what, quote_via=quote, safe="")
