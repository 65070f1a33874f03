# %% [markdown] lesson="06_relational_memory" attacks=["check-gates-first-third-test", "check-gates-second-third-test", "check-gates-last-third-test"]
# The candidate takes the place of 6.4 while the notebook's own visible tests of it run.

# %% check-gates
def check_gates(candidate):
    global gated_memory
    kept = gated_memory
    gated_memory = lambda *tables, forget_bias=1.0: candidate(*tables, *[forget_bias][:7 - len(tables)])
    try:
        return own_gates_pass()
    except Exception:
        return False
    finally:
        gated_memory = kept
