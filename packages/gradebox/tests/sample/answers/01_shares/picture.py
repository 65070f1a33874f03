# %% right: colours set afterwards
def picture(weights, ax):
    image = ax.imshow(weights)
    image.set_clim(0, 1)
    return image

# %% wrong: colours as they come says="the colours end elsewhere" fails=["picture-test"]
def picture(weights, ax):
    return ax.imshow(weights)
