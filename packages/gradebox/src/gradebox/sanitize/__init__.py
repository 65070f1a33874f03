"""What of a student's a page or a graded copy may hold, so that it is harmless whoever opens it."""
