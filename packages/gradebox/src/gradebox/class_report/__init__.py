"""Class report: results per exercise, common mistakes, trends of students, and similar code."""
