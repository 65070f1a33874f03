"""Erasure of a student from a course: folders, tables, exports and the exchange."""
