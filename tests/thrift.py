"""Work that a run of tests does once, not for each test: templates, routes of the web app, hashes of passwords."""

import fcntl
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import pytest
from argon2 import PasswordHasher
from flask import Flask
from jinja2 import FileSystemBytecodeCache
from werkzeug.routing import Rule

from arena.services.people import passwords

_compile: Final[Callable[..., Any]] = Rule._compile_builder
_builders: Final[dict[tuple[object, ...], Any]] = {}


def shared_folder(factory: pytest.TempPathFactory) -> Path:
    """Return a folder that all processes of this run share."""
    base = factory.getbasetemp()
    return base.parent if "PYTEST_XDIST_WORKER" in os.environ else base


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
    """Compile templates and routes once, and use a cheap password hash: together they took most of a page's test."""
    templates = shared_folder(tmp_path_factory) / "templates"
    templates.mkdir(exist_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Flask, "jinja_options", {"bytecode_cache": FileSystemBytecodeCache(str(templates))})
        patch.setattr(Rule, "_compile_builder", _remembered)
        patch.setattr(passwords, "_hasher", PasswordHasher(time_cost=1, memory_cost=8, parallelism=1))
        yield


def _remembered(rule: Rule, append_unknown: bool = True) -> Any:
    """Return the function that builds a rule's addresses, compiled for an equal rule if there was one."""
    key = (rule.rule, rule.subdomain, rule.host, repr(rule.defaults), append_unknown)
    if key not in _builders:
        _builders[key] = _compile(rule, append_unknown)
    return _builders[key]
