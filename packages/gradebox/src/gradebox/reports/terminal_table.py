"""Table with as many columns as fit into the terminal. Used by the tables of scores."""

from dataclasses import dataclass, field
from itertools import accumulate

from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gradebox.printable_text import format_count

# Width of a column besides its text (a space on both sides and a line), and of the table's first line.
COLUMN_PADDING, TABLE_BORDER = 3, 1
# The name of a row and its total are always shown.
MIN_COLUMNS = 2


@dataclass
class TerminalTable:
    """A table whose last columns are left out in a narrow terminal.

    title: text above the table. kind: singular and plural of what a column has. elsewhere: where the columns
    are that are left out.
    """

    title: str
    kind: tuple[str, str]
    elsewhere: str
    heads: list[Text] = field(default_factory=list)
    rows: list[list[Text]] = field(default_factory=list)

    def count_columns(self, room: int) -> int:
        """Return the number of columns that fit. room: the width of the terminal in cells."""
        columns = zip(self.heads, *self.rows, strict=True)
        widths = [max(text.cell_len for one in column for text in one.split()) for column in columns]
        sums = accumulate((width + COLUMN_PADDING for width in widths), initial=TABLE_BORDER)
        return max(MIN_COLUMNS, sum(width <= room for width in sums) - 1)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        count = self.count_columns(options.max_width)
        table = Table(title=Text(self.title, style="bold"), title_justify="left")
        for column, head in enumerate(self.heads[:count]):
            table.add_column(head, justify="right" if column else "left", overflow="fold")
        for row in self.rows:
            table.add_row(*row[:count])
        yield table
        if count < len(self.heads):
            left_out = format_count(len(self.heads) - count, *self.kind)
            yield Text(f"{left_out}: {self.elsewhere}.", style="dim")
