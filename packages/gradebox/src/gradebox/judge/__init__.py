"""Tests in a process of their own: proxies there, a server in the student's process, data between them."""

# What both processes import, and what learns cells ahead (see `kernels/zygote.py`).
MODULES = ("gradebox.judge.link", "gradebox.judge.server", "gradebox.judge.names:learn")
