"""Takes a student out of a course: folders, tables, exports, the exchange; and says what it can't reach."""
