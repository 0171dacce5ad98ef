"""The manifests: strictly by the cluster's own schemas, and each zone with what it may have."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

FOLDER = Path(__file__).parents[2] / "deploy" / "kubernetes"
VERSION = "1.33"
KUSTOMIZATION: dict[str, Any] = yaml.safe_load((FOLDER / "kustomization.yaml").read_text())
EXAMPLE = "secrets.example.yaml"


def _objects(name: str) -> list[dict[str, Any]]:
    return list(yaml.safe_load_all((FOLDER / name).read_text()))


APPLIED = [each for name in KUSTOMIZATION["resources"] for each in _objects(name)]
COMPONENTS = [path.parent for path in sorted(FOLDER.glob("*/kustomization.yaml"))]
ADDED = [each for folder in COMPONENTS for each in yaml.safe_load_all((folder / "network.yaml").read_text())]
STANDARD = [each for each in [*APPLIED, *ADDED, *_objects(EXAMPLE)] if "keda.sh" not in each["apiVersion"]]
SCALED = {each["metadata"]["name"]: each for each in APPLIED if each["kind"] == "ScaledObject"}
PODS = {each["metadata"]["name"]: each["spec"]["template"]["spec"] for each in APPLIED if each["kind"] == "Deployment"}


def _name(found: dict[str, Any]) -> str:
    return f"{found['kind']} {found['metadata']['name']}"


def _containers(pod: dict[str, Any]) -> Iterator[dict[str, Any]]:
    yield from pod.get("initContainers", [])
    yield from pod["containers"]


def _secrets(pod: dict[str, Any]) -> set[tuple[str, str]]:
    """The secrets a pod is given, and which of their keys."""
    found = {
        (each["valueFrom"]["secretKeyRef"]["name"], each["valueFrom"]["secretKeyRef"]["key"])
        for container in _containers(pod)
        for each in container.get("env", [])
        if "valueFrom" in each
    }
    for volume in pod["volumes"]:
        for source in volume.get("projected", {}).get("sources", []):
            found |= {(source["secret"]["name"], item["key"]) for item in source["secret"]["items"]}
    return found


@pytest.mark.parametrize("found", STANDARD, ids=_name)
def test_each_manifest_is_what_the_cluster_takes(found: dict[str, Any]) -> None:
    kubernetes_validate.validate(found, VERSION, strict=True)


def test_the_validator_refuses_a_misspelt_field() -> None:
    with pytest.raises(kubernetes_validate.ValidationError):
        kubernetes_validate.validate(STANDARD[0] | {"metadate": {}}, VERSION, strict=True)


def test_every_file_is_applied_but_the_example_of_the_secrets() -> None:
    files = {path.name for path in FOLDER.glob("*.yaml")} - {"kustomization.yaml", EXAMPLE}
    assert files == set(KUSTOMIZATION["resources"])


@pytest.mark.parametrize("name", PODS)
def test_each_pod_is_as_the_restricted_profile_asks(name: str) -> None:
    pod = PODS[name]
    assert pod["securityContext"]["runAsNonRoot"]
    assert pod["securityContext"]["seccompProfile"] == {"type": "RuntimeDefault"}
    assert not pod["automountServiceAccountToken"]
    for container in _containers(pod):
        assert container["securityContext"]["readOnlyRootFilesystem"]
        assert not container["securityContext"]["allowPrivilegeEscalation"]
        assert container["securityContext"]["capabilities"] == {"drop": ["ALL"]}
        assert container["resources"]["limits"]["memory"]


def test_secrets_are_named_and_never_written_out() -> None:
    offered = {(each["metadata"]["name"], key) for each in _objects(EXAMPLE) for key in each["stringData"]}
    assert not any(value for each in _objects(EXAMPLE) for value in each["stringData"].values())
    assert not any(each["kind"] == "Secret" for each in APPLIED)
    for pod in PODS.values():
        assert _secrets(pod) <= offered


def test_the_content_zone_has_no_database_and_the_record_zone_no_keys() -> None:
    assert _secrets(PODS["habitus-content"]) == {("habitus-content", "redis-url"), ("habitus-keys", "keys.json")}
    record = {("habitus-record", "redis-url"), ("habitus-record", "database-url")}
    assert _secrets(PODS["habitus-record"]) == record


def test_each_zone_reaches_what_it_works_with_and_nothing_else() -> None:
    policies = {each["metadata"]["name"]: each["spec"] for each in APPLIED if each["kind"] == "NetworkPolicy"}
    assert policies["nothing-by-default"] == {"podSelector": {}, "policyTypes": ["Ingress", "Egress"]}
    ports = {
        name: {port["port"] for rule in spec.get("egress", []) for port in rule["ports"]}
        for name, spec in policies.items()
    }
    assert ports == {
        "nothing-by-default": set(), "names": {53}, "content": {6379}, "record": {6379, 5432}, "serve": {6379, 5432},
    }  # fmt: skip
    for name in ("content", "record", "serve"):
        assert policies[name]["podSelector"]["matchLabels"] == {"app.kubernetes.io/name": f"habitus-{name}"}


def test_whatever_points_at_a_deployment_points_at_one() -> None:
    budgets = [each for each in APPLIED if each["kind"] == "PodDisruptionBudget"]
    assert {each["spec"]["selector"]["matchLabels"]["app.kubernetes.io/name"] for each in budgets} == set(PODS)
    assert {each["spec"]["scaleTargetRef"]["name"] for each in SCALED.values()} == set(PODS) - {"habitus-serve"}


def test_a_pod_is_given_longer_to_stop_than_a_task_may_take() -> None:
    (config,) = [each for each in APPLIED if each["kind"] == "ConfigMap"]
    for pod in PODS.values():
        assert pod["terminationGracePeriodSeconds"] > int(config["data"]["HABITUS_TASK_SECONDS"])


def test_a_component_opens_one_way_out_of_pods_that_exist() -> None:
    ways = {}
    for each in ADDED:
        (chosen,) = each["spec"]["podSelector"]["matchExpressions"]
        assert set(chosen["values"]) <= set(PODS)
        (rule,) = each["spec"]["egress"]
        ways[each["metadata"]["name"]] = [port["port"] for port in rule["ports"]]
    assert ways == {"rabbitmq": [5671], "traces": [4318]}


@pytest.mark.parametrize("folder", COMPONENTS, ids=lambda folder: str(folder.name))
def test_a_component_changes_what_is_there(folder: Path) -> None:
    component = yaml.safe_load((folder / "kustomization.yaml").read_text())
    assert component["resources"] == ["network.yaml"]
    there = {(each["kind"], each["metadata"]["name"]) for each in APPLIED}
    for patch in component["patches"]:
        assert (patch["target"]["kind"], patch["target"]["name"]) in there
        assert all(step["op"] == "add" for step in yaml.safe_load(patch["patch"]))
