"""dashboard/openapi.yaml and the server agree: every route is in the file, and every response is as the file describes it."""

import json
import re
import time
from typing import Any

import hypothesis
import pytest
import requests
import schemathesis
import yaml
from conftest import ROOT, Server
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi import checks as openapi

FILE = ROOT / "dashboard" / "openapi.yaml"
DOCUMENT = yaml.safe_load(FILE.read_text())
STREAM = "/api/v1/changes"  # It does not end.
CHECKS = (
    not_a_server_error,
    openapi.status_code_conformance,
    openapi.content_type_conformance,
    openapi.response_schema_conformance,
)
schema = schemathesis.openapi.from_path(FILE).exclude(path=STREAM)


def routes_in_sources() -> set[str]:
    """Every path that the server's sources add a handler for."""
    added = re.compile(r'[Aa]dd\w*\(\s*(?:service,\s*)?"(/api/v1/[^"]+)"')
    return {
        path
        for source in (ROOT / "dashboard").rglob("*.cc")
        for path in added.findall(source.read_text())
    }


class Api:
    def __init__(self, server: Server):
        self._server = server
        self.session = requests.Session()
        self.session.headers["Authorization"] = f"Bearer {server.token}"
        while self.get("status").json()["loading"]:
            time.sleep(0.05)

    def get_once(self, path: str, /, **parameters: Any) -> requests.Response:
        return self.session.get(
            f"{self._server.address}api/v1/{path}", params=parameters, timeout=60
        )

    def get(self, path: str, /, **parameters: Any) -> requests.Response:
        """Repeats the request while the server still reads the file."""
        while (response := self.get_once(path, **parameters)).status_code == 202:
            time.sleep(0.01)
        return response


@pytest.fixture(scope="session")
def api(server: Server) -> Api:
    return Api(server)


def values(api: Api, run: str, kind: str) -> list[tuple[str, dict[str, Any]]]:
    """Requests for the newest value of each series of this kind."""
    tags = [tag for tag in api.get("run", run=run).json()["tags"] if tag["kind"] == kind]
    return [
        ("value", {"run": run, "kind": kind, "tag": tag["tag"], "rank": tag["rank"]})
        for tag in tags[:3]
    ]


def known_requests(api: Api) -> list[tuple[str, dict[str, Any]]]:
    """What the page asks for: at least one request of each path that the server has an answer for."""
    wanted: list[tuple[str, dict[str, Any]]] = [
        ("status", {}),
        ("runs", {}),
        ("lineage", {}),
        ("tags", {}),
        ("profiles", {}),
        ("kept", {}),
        ("ir", {}),
        ("compare", {"a": "lenet", "b": "landscape"}),
    ]
    wanted.append(("source", {"path": "/home/somebody/net.py", "line": 1}))
    for folder in (folder["folder"] for folder in api.get("ir").json()["folders"]):
        wanted.append(("ir/timeline", {"folder": folder}))
        dumps = [dump["id"] for dump in api.get("ir/timeline", folder=folder).json()["dumps"]]
        wanted += [("ir/diff", {"before": dumps[0], "after": dump}) for dump in dumps[:3]]
        wanted += [(path, {"ir": dumps[0], "text": "a"}) for path in ("graph", "graph/search")]
        wanted += [
            ("graph/node", {"ir": dumps[0], "node": match["id"]})
            for match in api.get("graph/search", ir=dumps[0], text="a").json()["matches"][:5]
        ]
    for run in (run["id"] for run in api.get("runs").json()["runs"]):
        wanted += [(path, {"run": run}) for path in ("run", "landscapes", "dataset", "exported")]
        wanted += [("console", {"run": run}), ("console/find", {"run": run, "text": "o"})]
        for tensor in api.get("exported", run=run).json()["tensors"]:
            wanted.append(
                (
                    "exported/value",
                    {"run": run, "folder": tensor["folder"], "file": tensor["files"][0]},
                )
            )
        detail = api.get("run", run=run).json()
        for tag in detail["tags"][:40]:
            series = {"run": run, "tag": tag["tag"], "rank": tag["rank"]}
            wanted += (
                [("series", series)]
                if tag["kind"] == "scalar"
                else [("values", {**series, "kind": tag["kind"]})]
            )
            if tag["kind"] == "scalar":
                wanted += [
                    ("ranks", {"run": run, "tag": tag["tag"], "show": show})
                    for show in ("band", "heat", "table")
                ]
            if tag["kind"] == "histogram":
                wanted.append(("histograms", {**series, "limit": 3}))
        for kind in ("histogram", "image", "tensor", "landscape", "audio", "text", "plugin"):
            wanted += values(api, run, kind)
        for graph in (
            graph["graph"] for graph in detail["graphs"] if graph["kind"] == "computational"
        ):
            of = {"run": run, "graph": graph}
            wanted += [("graph", of), ("graph/search", {**of, "text": "o"})]
            wanted += [
                ("graph/node", {**of, "node": node["id"]})
                for node in api.get("graph", **of).json().get("nodes", [])[:3]
            ]
    profiles = [profile["profile"] for profile in api.get("profiles").json()["profiles"]]
    for profile in profiles[:12]:
        of = {"profile": profile}
        wanted += [
            (f"profile{path}", of)
            for path in (
                "",
                "/operators",
                "/steps",
                "/data",
                "/summary",
                "/counter",
                "/timeline",
                "/span",
                "/selection",
                "/flame",
                "/flows",
                "/cluster",
                "/export",
            )
        ]
        wanted += [
            ("profile/search", {**of, "text": "a"}),
            ("profile/compare", {**of, "before": profiles[0]}),
        ]
    return wanted


def test_every_route_is_in_the_file_and_no_other() -> None:
    assert set(DOCUMENT["paths"]) == routes_in_sources()


def test_every_path_of_the_file_is_in_the_documentation() -> None:
    text = (ROOT / "docs" / "http_api.md").read_text()
    missing = [path for path in DOCUMENT["paths"] if path.removeprefix("/api/v1/") not in text]
    assert missing == []


def test_answers_to_what_the_page_asks_for_are_as_the_file_has_them(api: Api) -> None:
    answered = set()
    for path, parameters in known_requests(api):
        response = api.get(path, **parameters)
        schema[f"/api/v1/{path}"]["GET"].validate_response(response)
        if response.status_code == 200:
            answered.add(f"/api/v1/{path}")
    assert answered == set(DOCUMENT["paths"]) - {STREAM}


def test_a_comparison_is_what_the_program_prints(api: Api, server: Server) -> None:
    for a, b in (("lenet", "landscape"), ("lenet", "lenet"), ("values", "lenet")):
        answer = api.get("compare", a=a, b=b, tolerance="1%").json()
        printed = json.loads(server.compared(a, b, "--tolerance", "1%"))
        assert {**printed, "a": a, "b": b} == answer


def test_a_response_while_a_file_is_read_is_as_the_file_describes_it(api: Api) -> None:
    profiles = [profile["profile"] for profile in api.get("profiles").json()["profiles"]]
    # Two profiles at most are in memory.
    accepted = [
        one
        for one in (api.get_once("profile", profile=profile) for profile in profiles)
        if one.status_code == 202
    ]
    assert accepted
    for response in accepted:
        schema["/api/v1/profile"]["GET"].validate_response(response)
        assert int(response.headers["Retry-After"]) > 0


def test_methods_that_the_file_does_not_have_are_refused(api: Api, server: Server) -> None:
    for path, methods in DOCUMENT["paths"].items():
        for method in {"post", "put", "delete", "patch"} - set(methods):
            response = api.session.request(
                method, server.address.rstrip("/") + path, json={}, timeout=60
            )
            assert response.status_code == 405, f"{method} {path}"


@schema.parametrize()
@hypothesis.settings(
    max_examples=25,
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=list(hypothesis.HealthCheck),
)
def test_whatever_is_asked_is_answered_as_the_file_says(
    case: schemathesis.Case, server: Server
) -> None:
    response = case.call(
        base_url=server.address.rstrip("/"), headers={"Authorization": f"Bearer {server.token}"}
    )
    case.validate_response(response, checks=CHECKS)
