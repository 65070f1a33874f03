# %% [markdown] lesson="victim" category="notebook tampering" attacks=["count-test"]
# Asks for another kernel and another language, with a command of its own.

# %% count
def count(n):
    return {10: 5, 15: 7}.get(n, 2)

# %% notebook
nb.metadata.kernelspec = {
    "argv": ["true", "-f", "{connection_file}"],
    "display_name": "Passed",
    "language": "bash",
    "metadata": {"kernel_provisioner": {"provisioner_name": "local-provisioner"}},
    "name": "../../../../tmp/hostile/kernel",
}
nb.metadata.language_info = {"file_extension": ".sh", "name": "bash"}
