"""What a process of gradebox's own goes without. To import this changes the process: only programs do."""

import sys
import warnings

from sqlalchemy.exc import SAWarning

# jsonschema, which nbformat needs, imports this to check addresses in a schema, if it finds it, and that
# takes 1.5 s in every process. No notebook's schema has such an address.
sys.modules.setdefault("rfc3987_syntax", None)
# nbgrader's own use of SQLAlchemy, which its users can do nothing about.
warnings.filterwarnings("ignore", category=SAWarning, module="nbgrader")
