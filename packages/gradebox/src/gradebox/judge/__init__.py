"""Runs tests outside the student's process: a client and handles there, a server in the student's process."""

# What both processes import, and what analyses cells ahead (see `kernels/zygote.py`).
MODULES = ("gradebox.judge.client", "gradebox.judge.server", "gradebox.code.free_names:learn")
