"""Has a course that was made for stock nbgrader graded by gradebox, and takes that back."""
