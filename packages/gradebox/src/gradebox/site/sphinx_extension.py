"""Sphinx extension for pages that load nothing from other hosts: MathML, and links to remote pictures."""

from typing import Any
from xml.etree import ElementTree

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.transforms.post_transforms import SphinxPostTransform
from sphinx.util import logging
from sphinx.writers.html5 import HTML5Translator

from gradebox.sanitize.formulas_to_mathml import MATHML, convert_latex

RENDERER = "mathml"
logger = logging.getLogger(__name__)


def setup(app: Sphinx) -> dict[str, Any]:
    """Register the extension. Sphinx calls this function."""
    app.add_html_math_renderer(RENDERER, (write_inline_formula, None), (write_block_formula, None))
    app.add_post_transform(RemotePicturesToLinks)
    return {"parallel_read_safe": True, "parallel_write_safe": True}


def write_inline_formula(translator: HTML5Translator, node: nodes.Element) -> None:
    translator.body.append(render_formula(node, is_inline=True))
    raise nodes.SkipNode


def write_block_formula(translator: HTML5Translator, node: nodes.Element) -> None:
    translator.body.append(f'<div class="formula">{render_formula(node, is_inline=False)}</div>\n')
    raise nodes.SkipNode


def render_formula(node: nodes.Element, is_inline: bool) -> str:
    """Return a formula as HTML: MathML, or the LaTeX itself if the converter does not know a command."""
    latex = node.astext()
    tree = convert_latex(latex, is_inline)
    if tree is None:
        logger.warning("formula shown as LaTeX, because it can't be converted: %s", latex, location=node)
        tree = ElementTree.Element("code")
        tree.text = latex
    for element in tree.iter():
        # HTML has no namespaces.
        element.tag = element.tag.removeprefix(f"{{{MATHML}}}")
    tree.tail = None
    return ElementTree.tostring(tree, encoding="unicode")


class RemotePicturesToLinks(SphinxPostTransform):
    """Replace each picture at another host by a link with its alternative text."""

    default_priority = 5

    def run(self, **options: Any) -> None:
        for image in [*self.document.findall(nodes.image)]:
            address = image["uri"]
            if address.startswith(("http://", "https://", "//")):
                words = image.get("alt") or address
                if isinstance(image.parent, nodes.reference):
                    image.replace_self(nodes.Text(words))
                else:
                    image.replace_self(nodes.reference("", words, refuri=address))
