"""Work that a run of tests does once, not for each test: statements, templates, routes, looks at the same upload."""

import fcntl
import gc
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from sqlalchemy import URL, Engine, create_engine
from sqlalchemy.engine.default import DefaultDialect
from sqlalchemy.util import LRUCache
from werkzeug.routing import Rule

from arena.db import session
from arena.sandbox.first_look import refuse_unparsable
from arena.services.bots import actions
from arena.services.people import passwords

_compile: Final[Callable[..., Any]] = Rule._compile_builder
_builders: Final[dict[tuple[object, ...], Any]] = {}
_statements: Final[LRUCache[Any, Any]] = LRUCache(4000)


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run share."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


def pytest_collection_finish() -> None:
    """Look for garbage seldom, and not in what was imported: doing so took a fifth of the time of the pages' tests."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(100_000, 50, 100)


@contextmanager
def made_once(folder: Path) -> Iterator[bool]:
    """Yield whether the caller is to fill this shared folder; other processes wait until it has."""
    folder.mkdir(exist_ok=True)
    with folder.with_suffix(".lock").open("a+") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield lock.seek(0, os.SEEK_END) == 0
        lock.write("made")


@pytest.fixture(scope="session", autouse=True)
def thrift(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Compile statements, templates and routes once, parse equal uploads once, and use a cheap password hash.

    Together they took most of the time of tests with a database of their own.
    """
    templates = shared_folder(tmp_path_factory) / "templates"
    templates.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": FileSystemBytecodeCache(str(templates))})
        patch.setattr(Rule, "_compile_builder", _remembered)
        patch.setattr(session, "create_engine", _with_statements)
        patch.setattr(DefaultDialect, "__eq__", lambda one, other: type(one) is type(other))
        patch.setattr(DefaultDialect, "__hash__", lambda one: hash(type(one)))  # part of the key of a statement
        patch.setattr(actions, "refuse_unparsable", cache(refuse_unparsable))
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


def _remembered(rule: Rule, append_unknown: bool = True) -> Any:
    """Return the function that builds a rule's addresses, compiled for an equal rule if there was one."""
    key = (rule.rule, rule.subdomain, rule.host, repr(rule.defaults), append_unknown)
    if key not in _builders:
        _builders[key] = _compile(rule, append_unknown)
    return _builders[key]


def _with_statements(url: URL, **options: Any) -> Engine:
    """Return an engine that finds the statements which earlier ones compiled."""
    engine = create_engine(url, **options)
    engine._compiled_cache = _statements
    return engine
