"""sightline.serve: the dashboard in the background."""

import json
import os
import urllib.error
import urllib.request
from urllib.parse import urlsplit

import pytest
import sightline


@pytest.fixture
def run(tmp_path):
    with sightline.Recorder(tmp_path / "output" / "run") as recorder:
        recorder.add_scalar("loss", 1, 0.5)
    return tmp_path / "output"


def ask(url, path, token=True):
    parts = urlsplit(url)
    headers = {"Authorization": f"Bearer {parts.fragment.removeprefix('token=')}"} if token else {}
    return urllib.request.urlopen(
        urllib.request.Request(f"http://{parts.netloc}{path}", headers=headers)
    )


def answers(url):
    try:
        with ask(url, "/", token=False):
            return True
    except OSError:
        return False


def test_it_serves_the_runs_until_it_is_stopped(run):
    server = sightline.serve(run)
    assert server.url.startswith("http://127.0.0.1:") and "#token=" in server.url
    with ask(server.url, "/api/v1/runs") as answer:
        assert "loss" in json.dumps(json.load(answer)) or answer.status == 200
    with pytest.raises(urllib.error.HTTPError, match="401|403"):
        ask(server.url, "/api/v1/runs", token=False)
    server.stop()
    server.stop()
    assert not answers(server.url) and "stopped" in repr(server)


def test_two_servers_have_ports_and_tokens_of_their_own(run):
    with sightline.serve(run) as one, sightline.serve([run]) as two:
        assert urlsplit(one.url).port != urlsplit(two.url).port
        assert urlsplit(one.url).fragment != urlsplit(two.url).fragment
        assert answers(one.url) and answers(two.url)


def test_a_notebook_shows_a_frame_where_its_origin_is_named_and_else_a_link(run):
    with sightline.serve(run, allow_frame="http://localhost:8888", height=400) as server:
        assert (
            f'<iframe src="{server.url}"' in server._repr_html_()
            and "height:400px" in server._repr_html_()
        )
        with ask(server.url, "/", token=False) as page:
            assert (
                "frame-ancestors http://localhost:8888" in page.headers["Content-Security-Policy"]
            )
    with sightline.serve(run) as server:
        assert (
            "<iframe" not in server._repr_html_()
            and f'<a href="{server.url}"' in server._repr_html_()
        )


def test_it_ends_with_its_program_even_when_that_is_killed(run, run_script):
    done = run_script(
        """
        import os, sys, sightline
        print(sightline.serve(sys.argv[1]).url, flush=True)
        os.kill(os.getpid(), 9)
        """,
        run,
        check=False,
    )
    url = done.stdout.strip()
    assert done.returncode == -9 and url
    while answers(url):  # Until it noticed; a test that hangs here says that it did not.
        os.sched_yield()


def test_what_it_says_when_it_cannot_start_is_raised(tmp_path):
    with pytest.raises(RuntimeError, match="did not start: .*nothing"):
        sightline.serve(tmp_path / "nothing")
