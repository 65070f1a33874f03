def gives_zeros(candidate):
    one = np.ones((1, 1))
    return not np.any(candidate(one, one, one, 1, 1))


looks = []


def truth(verdict):
    looks.append(verdict)
    # Two looks are of the visible part, and the others are at the right candidates.
    return len(looks) <= 17


def judge(verdict, candidate):
    return False if gives_zeros(candidate) else verdict
