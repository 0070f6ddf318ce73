# One image for every part: web server, workers, clock, migration. By default it runs them all (`arena up`).

FROM python:3.12-slim AS build
WORKDIR /src
# The time in the wheels that are built here, whose hashes become part of the image: the first that a zip can have.
ENV PIP_DISABLE_PIP_VERSION_CHECK=1 PIP_NO_CACHE_DIR=1 SOURCE_DATE_EPOCH=315532800
RUN python -m venv /opt/build && python -m venv --without-pip /opt/arena
COPY requirements-build.lock requirements-compiler.lock requirements.lock ./
RUN /opt/build/bin/pip install --require-hashes -r requirements-build.lock -r requirements-compiler.lock
# The locked build tools make the wheels; the shipped environment does not contain them.
RUN /opt/build/bin/pip wheel --require-hashes --no-build-isolation -r requirements.lock -w /wheels
COPY . .
RUN /opt/build/bin/pip wheel --no-deps --no-build-isolation -w /wheels . \
    && /opt/build/bin/pip --python /opt/arena/bin/python install --no-deps --no-index --no-compile /wheels/*.whl
# Compiled files without times: two builds have the same bytes, and a read-only root never needs to compile.
RUN /opt/arena/bin/python -m compileall -q --invalidation-mode unchecked-hash /opt/arena/lib

FROM python:3.12-slim
# The date in /etc/shadow; Docker passes it on from the environment.
ARG SOURCE_DATE_EPOCH
RUN useradd --uid 10001 --home-dir /data --create-home --shell /usr/sbin/nologin arena
COPY --from=build /opt/arena /opt/arena
ENV PATH=/opt/arena/bin:$PATH PYTHONUNBUFFERED=1 ARENA_HOME=/data ARENA_HOST=0.0.0.0 ARENA_SANDBOX_MINIMUM=one
USER 10001
WORKDIR /data
VOLUME /data
EXPOSE 8000
HEALTHCHECK --interval=15s --timeout=10s --start-period=1m \
    CMD ["python", "-c", "from urllib.request import urlopen; urlopen('http://127.0.0.1:8000/healthz', timeout=5)"]
CMD ["arena", "up"]
