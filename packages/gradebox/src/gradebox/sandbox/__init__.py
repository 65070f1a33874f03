"""Sandbox for student code: Landlock, seccomp, namespaces and resource limits."""
