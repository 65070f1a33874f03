"""Tests in a process of their own: stand-ins there, a server in the student's process, data between them."""
