"""Local web page on which one or several people grade written answers, question by question."""
