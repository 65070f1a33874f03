"""A package that can't be imported, for the test processes and for nbgrader's programs that they start.

jsonschema, which nbgrader imports, would build the grammar of addresses with it, for two seconds of CPU time
in every process; no notebook's schema has an address. The `gradebox` command does the same for itself.
"""

raise ImportError("tests do without")
