"""Notebook execution: sessions, second chances, test modes and isolation of student code."""
