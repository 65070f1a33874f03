"""Import of submissions and class lists from learning platforms (LMS), and export of grades and pages."""
