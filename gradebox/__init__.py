"""gradebox grades nbgrader courses: it releases lessons, grades submissions and reports."""
