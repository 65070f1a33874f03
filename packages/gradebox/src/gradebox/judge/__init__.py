"""Client, server and data format for running tests in a judge process, apart from the student's process."""

# Modules that both processes import.
MODULES = ("gradebox.judge.judge_client", "gradebox.judge.judge_server")
