# The course with its environment, wherever a container runs; docs/instructors.md says how to grade your own.
#
#   docker build -t attention-graded .
#   docker run --rm attention-graded make grade
#
# BASE: Debian 12, Ubuntu 24.04 or newer, or an image made from these with a Python of its own.
ARG BASE=python:3.13-slim
FROM $BASE

# pyseccomp loads libseccomp. Debian's own Python can't make environments without python3-venv.
RUN apt-get update && \
    apt-get install --yes --no-install-recommends libseccomp2 make \
        $(command -v python3 >/dev/null || echo python3-venv) && \
    rm -rf /var/lib/apt/lists/*

# The environment is outside of the course, so that a course of yours can take this one's place. The home can be
# written by any user that a container is started as.
ENV VENV=/venv HOME=/tmp LANG=C.UTF-8 PATH=/venv/bin:$PATH
RUN useradd --no-create-home --home-dir /tmp grader && \
    install --directory --owner=grader --group=grader /course /venv
USER grader
WORKDIR /course

# Only what the environment is made from, so that it is kept when lessons change.
COPY --chown=grader:grader Makefile requirements.txt ./
COPY --chown=grader:grader environment/*.sh environment/
COPY --chown=grader:grader packages/gradebox/pyproject.toml packages/gradebox/README.md packages/gradebox/LICENSE packages/gradebox/
COPY --chown=grader:grader packages/gradebox/src/gradebox/__init__.py packages/gradebox/src/gradebox/
# Python compiles what it imports, but whoever runs the container may not write here.
RUN make /venv/ready-for-tests && python -m compileall -q /venv && rm -rf /tmp/.cache

COPY --chown=grader:grader . .
CMD ["make", "grade"]
