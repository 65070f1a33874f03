# %% [markdown] lesson="01_single_head" encoding="utf-8-sig"
# An editor on Windows has saved the file with a byte order mark.
