"""Table that is split into several tables if the terminal is too narrow. Used by reports and audits."""

from dataclasses import dataclass, field

from rich.box import HEAVY_HEAD, Box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

# Width of a column besides its text (a space on both sides and a line), and of the table's border.
COLUMN_PADDING, TABLE_BORDER = 3, 2
# Minimum width of the first column in a narrow terminal.
MIN_FIRST_COLUMN = 12


@dataclass
class WideTable:
    """A table whose first column labels the rows, split into parts if too wide.

    Each part has the first column, and as many others as fit. title: text above each part. caption: text
    below the last part. close: True if adjacent columns share their padding. sections: indices of the rows
    that are followed by a line.
    """

    heads: list[Text]
    rows: list[list[Text]] = field(default_factory=list)
    title: str | None = None
    caption: str | None = None
    box: Box = HEAVY_HEAD
    close: bool = False
    sections: set[int] = field(default_factory=set)

    def add_row(self, *cells: Text) -> None:
        self.rows.append(list(cells))

    def width(self, column: int) -> int:
        """Return the width of a column's text, in terminal cells."""
        texts = [self.heads[column], *(row[column] for row in self.rows)]
        return max(Text(line).cell_len for text in texts for line in text.plain.split("\n"))

    def parts(self, room: int) -> list[list[int]]:
        """Return the column indices of each part, without the first column. room: terminal width in cells."""
        around, room = COLUMN_PADDING - self.close, room - TABLE_BORDER
        widths = [self.width(column) + around for column in range(len(self.heads))]
        # Names that are too long are wrapped.
        most = min(room // 2, room - max(widths[1:], default=0))
        first = min(widths[0], max(MIN_FIRST_COLUMN, most))
        found: list[list[int]] = [[]]
        left = room - first
        for column, width in enumerate(widths[1:], 1):
            if width > left and found[-1]:
                found.append([])
                left = room - first
            found[-1].append(column)
            left -= width
        return found

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        parts = self.parts(options.max_width)
        for number, columns in enumerate(parts, 1):
            title = f"{self.title or ''} ({number} of {len(parts)})".lstrip()
            table = Table(
                title=Text(title if len(parts) > 1 else self.title, style="bold") if self.title else None,
                title_justify="left",
                caption=self.caption if number == len(parts) else None,
                caption_justify="left",
                box=self.box,
                collapse_padding=self.close,
            )
            for column in (0, *columns):
                table.add_column(self.heads[column], justify="right" if column else "left", overflow="fold")
            for row, cells in enumerate(self.rows):
                table.add_row(*(cells[column] for column in (0, *columns)), end_section=row in self.sections)
            yield table
            if number < len(parts):
                yield ""
