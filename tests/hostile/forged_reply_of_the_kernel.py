# %% [markdown] lesson="victim" category="IPython" attacks=["count-test"]
# Sends the reply that all went well while the test is still running, and fails only then.

# %% count
def count(n):
    kernel = get_ipython().kernel
    parent, ident = kernel.get_parent("shell"), kernel._parent_ident["shell"]
    content = {"status": "ok", "execution_count": 1, "payload": [], "user_expressions": {}}
    kernel.session.send(kernel.shell_stream, "execute_reply", content, parent, ident=ident)
    kernel._publish_status("idle", "shell", parent)
    kernel.shell_stream.flush()
    return 2
