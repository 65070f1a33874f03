"""Class report: results per exercise, common mistakes, students to contact, and similar code."""
