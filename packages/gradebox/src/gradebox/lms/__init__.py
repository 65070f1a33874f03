"""Between a course and a learning platform (an LMS): hand-ins and names come in, grades and pages go out."""
