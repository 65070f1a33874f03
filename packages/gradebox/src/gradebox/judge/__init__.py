"""Runs tests outside the student's process: a client and handles there, a server in the student's process."""

# What both processes import.
MODULES = ("gradebox.judge.judge_client", "gradebox.judge.judge_server")
