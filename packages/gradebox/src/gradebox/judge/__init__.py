"""Client, server and data format for running tests in a judge process, apart from the student's process."""

# Modules that both processes import.
MODULES = ("gradebox.judge.rpc_client", "gradebox.judge.submission_server")
