"""Grades nbgrader courses: many submissions at once, contained, and by tests that are proven."""

import sys

# jsonschema, which nbformat needs, imports this to check addresses in a schema, if it finds it, and that
# takes 1.5 s in every process. No notebook's schema has such an address.
sys.modules.setdefault("rfc3987_syntax", None)
