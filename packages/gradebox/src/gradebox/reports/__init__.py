"""Reports for people: score tables, student feedback pages, and diagnostics of the machine."""
