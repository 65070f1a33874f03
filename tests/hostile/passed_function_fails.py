# %% [markdown] lesson="victim" category="reading" attacks=["apply-test"]
# Makes the test's function fail, and takes what it knows from the traceback of its error.

# %% apply
def apply(function, x):
    function(x)
    try:
        function(None)
    except TypeError as error:
        frame = error.__traceback__.tb_next.tb_frame
        print(error, frame.f_locals)
        return frame.f_globals["expected"]
