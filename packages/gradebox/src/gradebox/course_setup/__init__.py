"""Setup of gradebox in a course that was made for stock nbgrader, and removal of gradebox."""
