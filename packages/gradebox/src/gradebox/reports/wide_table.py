"""A table with more columns than a terminal has room for: several below each other, and nothing is cut."""

from dataclasses import dataclass, field

from rich.box import HEAVY_HEAD, Box
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

# What a column takes besides its text: a blank on both sides, and a line; and what the table itself takes.
COLUMN_PADDING, TABLE_BORDER = 3, 2
# The least that the first column is left with where there is hardly any room.
MIN_FIRST_COLUMN = 12


@dataclass
class WideTable:
    """A table whose first column says what a row is, and which is divided where it is too wide.

    Each part has the first column, and as many others as fit. title: what stands above it. caption: what
    stands below the last part. close: whether columns share their blanks. sections: the rows, by number,
    behind which there is a line.
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
        """The cells of a terminal that a column needs."""
        texts = [self.heads[column], *(row[column] for row in self.rows)]
        return max(Text(line).cell_len for text in texts for line in text.plain.split("\n"))

    def parts(self, room: int) -> list[list[int]]:
        """The columns of each part but for the first, where there is so much room."""
        around, room = COLUMN_PADDING - self.close, room - TABLE_BORDER
        widths = [self.width(column) + around for column in range(len(self.heads))]
        # A name that is too long is folded.
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
