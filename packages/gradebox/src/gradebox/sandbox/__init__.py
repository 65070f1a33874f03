"""Limits what student code can read, write, reach and use: Landlock, seccomp, namespaces, resource limits."""
