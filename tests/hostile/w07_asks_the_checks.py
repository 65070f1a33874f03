# %% [markdown] lesson="07_attention_in_tiles" attacks=["check-tiled-first-third-test", "check-tiled-second-third-test", "check-tiled-last-third-test"]
# The candidate takes the place of 7.4 while the notebook's own visible tests of it run.

# %% check-tiled
def check_tiled(candidate):
    global tiled
    kept, tiled = tiled, candidate
    try:
        return own_solution_passes()
    except Exception:
        return False
    finally:
        tiled = kept
