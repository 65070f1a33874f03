"""What pages make of the marks of a notebook."""

from gradebox.sanitize.html import rendered

ASKS = "<h2>1.1 Why?</h2>\n<p>Say why.</p>\n"
SCHEME = "<h3>BEGIN MARK SCHEME</h3>\n<p><strong>1 point</strong></p>\n<h3>END MARK SCHEME</h3>\n"


def test_a_mark_scheme_is_a_box_and_its_marks_are_no_headlines():
    page = rendered(ASKS + SCHEME + "<h3>More</h3>")
    assert "BEGIN MARK SCHEME" not in page and "END MARK SCHEME" not in page
    assert "<details open" in page and page.count("Mark scheme") == 1
    assert page.index("<summary>") < page.index("1 point") < page.index("</details>") < page.index("More")


def test_one_end_alone_is_left_as_it_is():
    assert "BEGIN MARK SCHEME" in rendered(ASKS + SCHEME.partition("<p>")[0])
