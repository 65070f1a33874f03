"""Run candidate answers in place of an exercise's solution, each in a fork of a prepared process.

Used by the audit (`audit/`) and by releases (`release/generate_checks_cell.py`,
`release/store_test_modes.py`).
"""
