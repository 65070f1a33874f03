"""Static analysis of cells: names that are used, assigned or mutated, imports and syntax errors.

Used by release, execution, the audit and the judge. The cells are not executed.
"""
