# %% right: numbers with one decimal, ticks set in two steps, a colour bar
def plot_attention(weights, queries, keys, ax):
    table = np.asarray(weights)
    image = ax.imshow(table, cmap="cividis", clim=(0, 1), aspect="auto")
    ax.set_xticks(np.arange(len(keys)))
    ax.set_xticklabels(keys, rotation=45)
    ax.set_yticks(np.arange(len(queries)))
    ax.set_yticklabels(queries)
    ax.set(xlabel="key", ylabel="query", title="attention")
    ax.figure.colorbar(image, ax=ax)
    if table.size <= 64 and max(table.shape) <= 8:
        for (row, column), weight in np.ndenumerate(table):
            ax.annotate(f"{weight:.1f}", (column, row), ha="center", color="grey")
    return ax

# %% right: makes the given axes current and draws with pyplot
def plot_attention(weights, queries, keys, ax):
    plt.sca(ax)
    plt.imshow(weights, vmin=0, vmax=1)
    plt.xticks(range(len(keys)), labels=keys)
    plt.yticks(range(len(queries)), labels=queries)
    plt.xlabel("key")
    plt.ylabel("query")
    if len(queries) <= 8 and len(keys) <= 8:
        for i, row in enumerate(weights):
            for j, weight in enumerate(row):
                plt.text(j, i, round(float(weight), 3), ha="center")
    return ax

# %% right: keys on top, numbers in every picture
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, norm=plt.Normalize(0, 1), origin="upper")
    ax.xaxis.tick_top()
    ax.xaxis.set_ticks(list(range(len(keys))), labels=list(keys))
    ax.yaxis.set_ticks(list(range(len(queries))), labels=list(queries))
    ax.set_xlabel("key")
    ax.set_ylabel("query")
    for i in range(len(queries)):
        for j in range(len(keys)):
            ax.text(j, i, "%.2f" % weights[i, j])
    return ax

# %% base
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query")
    for i, j in np.ndindex(np.shape(weights)):
        ax.text(j, i, f"{weights[i, j]:.2f}")
    return ax

# %% wrong: draws on the current axes says="no image on the given ax"
def plot_attention(weights, queries, keys, ax):
    plt.imshow(weights, vmin=0, vmax=1)
    plt.xticks(range(len(keys)), keys)
    plt.yticks(range(len(queries)), queries)
    plt.xlabel("key")
    plt.ylabel("query")
    for i, j in np.ndindex(np.shape(weights)):
        plt.text(j, i, f"{weights[i, j]:.2f}")
    return ax

# %% wrong: returns the axes it drew on, not the given says="no image on the given ax" of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     ax = plt.gca()

# %% wrong: colours stretched to the data says="no fixed colours" of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights)

# %% wrong: transposed says="transposed: rows are queries"
def plot_attention(weights, queries, keys, ax):
    ax.imshow(np.transpose(weights), vmin=0, vmax=1)
    ax.set_xticks(range(len(queries)), queries)
    ax.set_yticks(range(len(keys)), keys)
    ax.set(xlabel="query", ylabel="key")
    return ax

# %% wrong: axis names swapped says="the horizontal axis is named" of="base"
# was:     ax.set(xlabel="key", ylabel="query")
# becomes: ax.set(xlabel="query", ylabel="key")

# %% wrong: tokens on the wrong axes says="the columns are labelled" of="base"
# was:     ax.set_xticks(range(len(keys)), keys)
# was:     ax.set_yticks(range(len(queries)), queries)
# becomes: ax.set_xticks(range(len(queries)), queries)
# becomes: ax.set_yticks(range(len(keys)), keys)

# %% wrong: first query at the bottom says="the first query is at the bottom" of="base"
# was:     ax.imshow(weights, vmin=0, vmax=1)
# becomes: ax.imshow(weights, vmin=0, vmax=1, origin="lower")

# %% wrong: no numbers in the cells says="no number in row 0"
def plot_attention(weights, queries, keys, ax):
    ax.imshow(weights, vmin=0, vmax=1)
    ax.set_xticks(range(len(keys)), keys)
    ax.set_yticks(range(len(queries)), queries)
    ax.set(xlabel="key", ylabel="query")
    return ax

# %% wrong: numbers at row, column instead of x, y says="x counts columns, y counts rows" of="base"
# was:     ax.text(j, i, f"{weights[i, j]:.2f}")
# becomes: ax.text(i, j, f"{weights[i, j]:.2f}")

# %% wrong: every other tick left out in large pictures says="in the ticks" visible=false of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     step = 2 if len(keys) > 8 else 1

# was:     ax.set_xticks(range(len(keys)), keys)
# becomes: ax.set_xticks(range(0, len(keys), step), keys[::step])

# %% wrong: draws a table that it has set to 0 itself says="in the image" of="base"
# was:     def plot_attention(weights, queries, keys, ax):
# becomes: def plot_attention(weights, queries, keys, ax):
# becomes:     weights[...] = 0

# %% wrong: returns nothing says="return ax" of="base"
# was:     return ax
# becomes:
