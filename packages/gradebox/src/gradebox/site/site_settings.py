"""Settings of a course's website (`c.Site`)."""

from traitlets import List, TraitError, Unicode
from traitlets.config import Configurable

from gradebox.course import Course, CourseError


class Site(Configurable):
    """Settings for the parts of the website that are not lessons."""

    description = Unicode("", help="A text below the title of the home page, in Markdown.").tag(config=True)
    pages = List(Unicode(), help="Further pages: Markdown files of the course, such as ['students.md'].").tag(
        config=True
    )


def read_site_settings(course: Course) -> Site:
    """Return the settings. Raises CourseError for an invalid value or a missing page."""
    try:
        site = Site(parent=course.app)
    except TraitError as error:
        raise CourseError(str(error)) from None
    for page in site.pages:
        path = (course.root / page).resolve()
        if not path.is_file() or path.suffix != ".md" or not path.is_relative_to(course.root):
            raise CourseError(f"c.Site.pages names {page!r}, which is not a .md file of the course")
    return site
