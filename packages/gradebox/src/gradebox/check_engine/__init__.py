"""Messages of failed tests for students; `gradebox release` copies this code into each checks cell."""
