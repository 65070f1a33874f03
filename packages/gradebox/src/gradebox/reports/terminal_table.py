"""Table with as many columns as fit into the terminal. Used by the tables of scores."""

from collections.abc import Iterable
from itertools import accumulate

from rich.console import Console, ConsoleOptions, RenderResult
from rich.measure import measure_renderables
from rich.table import Table
from rich.text import Text

from gradebox.printable_text import format_count

# Width of a column besides its text (a space on both sides and a line), and of the table's first line.
COLUMN_PADDING, TABLE_BORDER = 3, 1
# The name of a row and its total are always shown.
MIN_COLUMNS = 2


class TerminalTable(Table):
    """A table whose last columns are left out in a narrow terminal.

    kind: singular and plural of what a column has. elsewhere: where the columns are that are left out.
    """

    def __init__(self, title: str, heads: Iterable[Text], kind: tuple[str, str], elsewhere: str) -> None:
        super().__init__(title=Text(title, style="bold"), title_justify="left")
        for head in heads:
            self.add_column(head, justify="right" if self.columns else "left", overflow="fold")
        self.kind, self.elsewhere = kind, elsewhere

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        every = self.columns
        texts = ([column.header, *column.cells] for column in every)
        widths = [measure_renderables(console, options, text).maximum + COLUMN_PADDING for text in texts]
        sums = accumulate(widths, initial=TABLE_BORDER)
        count = max(MIN_COLUMNS, sum(width <= options.max_width for width in sums) - 1)
        self.columns = every[:count]
        yield from super().__rich_console__(console, options)
        self.columns = every
        if count < len(every):
            yield Text(f"{format_count(len(every) - count, *self.kind)}: {self.elsewhere}.", style="dim")
