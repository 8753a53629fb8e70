# The game in a container: docker build -t evalforge . && docker run --rm -it -v "$PWD:/work" evalforge
#
# The sandbox needs Landlock (the host's kernel from 5.13) or user namespaces in the container; `evalforge doctor` says
# what it found. Without either, nothing is judged unless you say --i-trust-this-code: the container is then the only wall.
FROM python:3.13-slim AS build
COPY . /source
RUN python -m pip install --no-cache-dir --root-user-action ignore build && python -m build --wheel --outdir /wheels /source

FROM python:3.13-slim AS dev
RUN apt-get update && apt-get install -y --no-install-recommends bubblewrap git make tmux && rm -rf /var/lib/apt/lists/*

FROM python:3.13-slim
COPY --from=build /wheels /wheels
RUN python -m pip install --no-cache-dir --root-user-action ignore /wheels/*.whl && rm -r /wheels \
    && useradd --create-home player && mkdir /work && chown player /work
USER player
ENV TERM=xterm-256color COLORTERM=truecolor PYTHONUTF8=1
WORKDIR /work
ENTRYPOINT ["evalforge"]
