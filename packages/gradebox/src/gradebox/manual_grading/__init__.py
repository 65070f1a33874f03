"""A page on which written answers are read, question by question, by one person or several."""
