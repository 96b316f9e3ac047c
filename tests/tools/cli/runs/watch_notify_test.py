#!/usr/bin/env python3
"""`sightline watch --notify` against servers of HTTP, HTTPS and SMTP on this machine, which fail, hang
and lose answers: ctest runs this as `watch_notify_test`.

usage: watch_notify_test.py PROGRAM
"""

import base64
import contextlib
import email
import email.policy
import hashlib
import hmac
import http.server
import json
import os
import queue
import signal
import socket
import socketserver
import ssl
import struct
import subprocess
import sys
import tempfile
import threading
import unittest
from pathlib import Path

PROGRAM = ""
PATIENCE = 120  # Seconds, for what a right program does soon.
SECRET = "hunter2"
EVIL = "loss <!channel> @everyone\r\nBcc: evil@y.org"


def crc32c(data: bytes) -> int:
    crc = 0xFFFFFFFF
    for byte in data:
        crc ^= byte
        for _ in range(8):
            crc = crc >> 1 ^ (0x82F63B78 if crc & 1 else 0)
    return crc ^ 0xFFFFFFFF


def masked(data: bytes) -> bytes:
    crc = crc32c(data)
    return struct.pack("<I", ((crc >> 15 | crc << 17) + 0xA282EAD8) & 0xFFFFFFFF)


def field(number: int, data: bytes) -> bytes:
    return bytes([number << 3 | 2, len(data)]) + data


def scalar(tag: str, step: int, value: float, time: float) -> bytes:
    """A record of TensorBoard's: an event with one simple value."""
    summary = field(1, field(1, tag.encode()) + b"\x15" + struct.pack("<f", value))
    payload = b"\x09" + struct.pack("<d", time) + bytes([2 << 3, step]) + field(5, summary)
    length = struct.pack("<Q", len(payload))
    return length + masked(length) + payload + masked(payload)


class Answers:
    """What a server does with its next requests, and what it got."""

    def __init__(self, *script):
        self.script = list(script)  # The last one stays.
        self.requests: queue.Queue = queue.Queue()
        self.lock = threading.Lock()

    def next(self):
        with self.lock:
            return self.script.pop(0) if len(self.script) > 1 else self.script[0]


class HttpHandler(http.server.BaseHTTPRequestHandler):
    def do_POST(self):
        body = self.rfile.read(int(self.headers["Content-Length"])).decode()
        answers = self.server.answers
        status, headers, text = answers.next()
        answers.requests.put((self.path, dict(self.headers), json.loads(body)))
        if status == "lost":
            self.connection.shutdown(socket.SHUT_RDWR)
            return
        if status == "hang":
            self.server.hanging.wait(PATIENCE)
            return
        self.send_response(status)
        for name, value in headers.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(text.encode())

    def log_message(self, *arguments):
        pass


class SmtpHandler(socketserver.StreamRequestHandler):
    def handle(self):
        answers = self.server.answers
        self.say("220 test")
        mail = {"to": [], "tls": isinstance(self.connection, ssl.SSLSocket)}
        while line := self.rfile.readline().decode().strip():
            verb = line.split(" ")[0].upper()
            if verb == "EHLO":
                self.say("250-test" if not mail["tls"] else "250-test AUTH PLAIN")
                self.say(
                    "250 STARTTLS" if not mail["tls"] and self.server.starttls else "250 AUTH PLAIN"
                )
            elif verb == "STARTTLS":
                self.say("220 go")
                self.connection = self.server.context.wrap_socket(self.connection, server_side=True)
                self.rfile = self.connection.makefile("rb")
                mail["tls"] = True
            elif verb == "AUTH":
                if line.count(" ") == 1:
                    self.say("334 ")
                    line += " " + self.rfile.readline().decode().strip()
                mail["auth"] = line
                self.say("235 yes")
            elif verb == "MAIL":
                mail["from"] = line
                self.say("250 yes")
            elif verb == "RCPT":
                mail["to"].append(line)
                self.say("250 yes")
            elif verb == "DATA":
                self.say("354 go")
                data = b""
                while not data.endswith(b"\r\n.\r\n"):
                    data += self.rfile.readline()
                mail["data"] = data
                status, *_ = answers.next()
                answers.requests.put(mail)
                if status == "lost":
                    return
                self.say(f"{status} answered")
            elif verb == "QUIT":
                self.say("221 bye")
                return
            else:
                self.say("500 what")

    def finish(self):
        super().finish()
        self.connection.close()

    def say(self, line: str):
        self.connection.sendall(line.encode() + b"\r\n")


class Server(socketserver.ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def handle_error(self, request, client_address):
        pass  # The program was killed.


class WatchNotifyTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.certificate = os.path.join(cls.folder.name, "certificate.pem")
        key = os.path.join(cls.folder.name, "key.pem")
        subprocess.run(
            ["openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost"]
            + ["-addext", "subjectAltName=DNS:localhost", "-keyout", key, "-out", cls.certificate],
            check=True,
            stderr=subprocess.DEVNULL,
        )
        cls.context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        cls.context.load_cert_chain(cls.certificate, key)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def setUp(self):
        self.stack = contextlib.ExitStack()
        self.addCleanup(self.stack.close)
        self.home = Path(self.stack.enter_context(tempfile.TemporaryDirectory()))
        self.root = self.home / "runs"
        (self.root / "a").mkdir(parents=True)
        self.errors = self.home / "stderr"
        self.targets = {}
        self.file = self.root / "a" / "events.out.tfevents.1.vm"
        self.step = 0
        self.record(EVIL, 1.0)

    def record(self, tag: str, value: float):
        self.step += 1
        with open(self.file, "ab") as file:
            file.write(scalar(tag, self.step, value, self.file.parent.stat().st_mtime))

    def serve(self, answers: Answers, handler=HttpHandler, tls=False, starttls=False) -> int:
        server = Server(("localhost", 0), handler)
        server.answers = answers
        server.context = self.context
        server.starttls = starttls
        server.hanging = threading.Event()
        if tls:
            server.socket = self.context.wrap_socket(server.socket, server_side=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        self.stack.callback(server.server_close)
        self.stack.callback(server.shutdown)
        self.stack.callback(server.hanging.set)
        return server.server_address[1]

    def start(self, *options: str, **variables: str) -> subprocess.Popen:
        path = self.home / "notify.json"
        path.write_text(json.dumps(self.targets))
        path.chmod(0o600)
        names = [word for name in self.targets for word in ("--notify", name)]
        environment = {
            **os.environ,
            "XDG_STATE_HOME": str(self.home / "state"),
            "XDG_CACHE_HOME": str(self.home / "cache"),
            "no_proxy": "localhost",
            "HOOK": getattr(self, "hook", ""),
            **variables,
        }
        process = subprocess.Popen(
            [
                PROGRAM,
                "watch",
                str(self.root),
                "--on",
                "nan",
                "--targets",
                str(path),
                *names,
                *options,
            ],
            env=environment,
            stdout=subprocess.PIPE,
            stderr=self.stack.enter_context(open(self.errors, "ab")),
        )
        self.stack.callback(process.stdout.close)
        self.stack.callback(process.wait)
        self.stack.callback(process.kill)
        return process

    def fail_run(self, process: subprocess.Popen) -> bytes:
        """Records NaN, and returns the line that the program prints."""
        self.record(EVIL, float("nan"))
        return process.stdout.readline()

    def got(self, answers: Answers):
        return answers.requests.get(timeout=PATIENCE)

    def test_json_over_http_has_the_event_and_its_id_in_every_try(self):
        answers = Answers((500, {}, ""), ("lost", {}, ""), (204, {}, ""))
        self.targets["hook"] = {
            "kind": "json",
            "url": f"http://localhost:{self.serve(answers)}/{SECRET}",
            "authorization": f"Bearer {SECRET}",
        }
        line = self.fail_run(self.start("--json"))
        printed = json.loads(line)
        for _ in range(3):
            path, headers, body = self.got(answers)
            self.assertEqual(path, f"/{SECRET}")
            self.assertEqual(headers["Authorization"], f"Bearer {SECRET}")
            self.assertEqual(headers["Idempotency-Key"], printed["id"])
            self.assertEqual({**body, "host": ""}, {**printed, "host": ""})
            self.assertEqual(body["tag"], EVIL)
        self.assertNotIn(SECRET, self.errors.read_text())

    def test_https_is_verified(self):
        good = Answers((200, {}, "ok"))
        port = self.serve(good, tls=True)
        self.targets["known"] = {
            "kind": "slack",
            "url": f"https://localhost:{port}/{SECRET}",
            "certificates": self.certificate,
        }
        self.targets["unknown"] = {"kind": "slack", "url": f"https://localhost:{port}/{SECRET}"}
        self.fail_run(self.start())
        _, _, body = self.got(good)
        self.assertNotIn("<!channel>", json.dumps(body))
        self.wait_for_error("--notify unknown: not delivered")
        self.assertTrue(good.requests.empty())
        self.assertNotIn(SECRET, self.errors.read_text())

    def test_the_environment_names_the_trusted_certificates(self):
        good = Answers((200, {}, "ok"))
        self.targets["hook"] = {
            "kind": "slack",
            "url": f"https://localhost:{self.serve(good, tls=True)}/",
        }
        self.fail_run(self.start(SSL_CERT_FILE=self.certificate))
        self.got(good)

    def wait_for_error(self, text: str):
        tail = subprocess.Popen(
            ["tail", "-f", "-n", "+1", self.errors], stdout=subprocess.PIPE, text=True
        )
        timer = threading.Timer(PATIENCE, tail.kill)
        timer.start()
        found = any(text in line for line in tail.stdout)
        timer.cancel()
        tail.kill()
        tail.stdout.close()
        tail.wait()
        self.assertTrue(found, self.errors.read_text())

    def test_a_redirect_is_not_followed(self):
        elsewhere = Answers((200, {}, ""))
        there = f"http://localhost:{self.serve(elsewhere)}/"
        answers = Answers((307, {"Location": there}, ""))
        self.targets["hook"] = {"kind": "json", "url": f"http://localhost:{self.serve(answers)}/"}
        self.fail_run(self.start())
        self.got(answers)
        self.wait_for_error(
            "--notify hook: not delivered, and tried again for a day: the answer is HTTP 307"
        )
        self.assertTrue(elsewhere.requests.empty())

    def test_the_body_of_the_answer_decides(self):
        answers = Answers((200, {}, '{"code": 19021}'), (200, {}, '{"code": 0}'))
        self.targets["chat"] = {
            "kind": "feishu",
            "url": f"http://localhost:{self.serve(answers)}/",
            "secret": SECRET,
        }
        self.fail_run(self.start())
        for _ in range(2):
            _, _, body = self.got(answers)
            key = f"{body['timestamp']}\n{SECRET}".encode()
            signature = base64.b64encode(hmac.new(key, b"", hashlib.sha256).digest()).decode()
            self.assertEqual(body["sign"], signature)
        self.wait_for_error("--notify chat: messages are delivered again")

    def test_a_target_that_hangs_delays_no_other(self):
        hanging, good = Answers(("hang", {}, "")), Answers((200, {}, '{"errcode": 0}'))
        self.targets["hanging"] = {
            "kind": "json",
            "url": f"http://localhost:{self.serve(hanging)}/",
        }
        self.targets["good"] = {"kind": "wecom", "url": f"http://localhost:{self.serve(good)}/"}
        self.fail_run(self.start())
        self.got(hanging)
        _, _, body = self.got(good)
        self.assertIn("is nan at step 2", body["text"]["content"])

    def test_a_killed_watch_delivers_after_its_restart(self):
        answers = Answers((500, {}, ""), (200, {}, ""))
        self.targets["hook"] = {"kind": "json", "url": f"http://localhost:{self.serve(answers)}/"}
        process = self.start("--json")
        printed = json.loads(self.fail_run(process))
        self.got(answers)
        process.send_signal(signal.SIGKILL)
        process.wait()
        again = self.start("--json")
        self.assertEqual(self.got(answers)[2]["id"], printed["id"])
        self.record(EVIL, 1.0)
        self.assertIsNone(again.poll())

    def test_a_mail_is_sent_by_tls_only(self):
        answers = Answers((451,), ("lost",), (250,))
        port = self.serve(answers, SmtpHandler, starttls=True)
        self.targets["me"] = {
            "kind": "mail",
            "url": f"smtp://localhost:{port}",
            "certificates": self.certificate,
            "user": "u",
            "password": SECRET,
            "from": "sightline@x.org",
            "to": ["a@x.org", "b@x.org"],
        }
        self.fail_run(self.start())
        ids = set()
        for _ in range(3):
            mail = self.got(answers)
            self.assertTrue(mail["tls"])
            login = base64.b64decode(mail["auth"].split(" ")[2]).split(b"\0")
            self.assertEqual(login[1:], [b"u", SECRET.encode()])
            self.assertEqual(
                [line.split(":")[1].split(" ")[0] for line in mail["to"]],
                ["<a@x.org>", "<b@x.org>"],
            )
            message = email.message_from_bytes(mail["data"], policy=email.policy.default)
            ids.add(message["Message-ID"])
            self.assertIsNone(message["Bcc"])
            self.assertIn("is nan at step 2", message["Subject"].replace("\n", ""))
            self.assertIn("is nan at step 2", message.get_content())
        self.assertEqual(len(ids), 1)
        self.assertNotIn(SECRET, self.errors.read_text())

    def test_a_mail_server_without_tls_gets_nothing(self):
        answers = Answers((250,))
        self.targets["me"] = {
            "kind": "mail",
            "url": f"smtp://localhost:{self.serve(answers, SmtpHandler)}",
            "from": "sightline@x.org",
            "to": ["a@x.org"],
        }
        self.fail_run(self.start())
        self.wait_for_error("--notify me: not delivered")
        self.assertTrue(answers.requests.empty())

    def test_a_command_gets_the_event_on_standard_input(self):
        pipe = self.home / "pipe"
        os.mkfifo(pipe)
        self.targets["run"] = {"kind": "command", "command": ["tee", str(pipe)]}
        process = self.start("--json")
        printed = json.loads(self.fail_run(process))
        self.assertEqual(json.loads(pipe.read_text())["id"], printed["id"])

    def test_a_target_of_the_environment_is_in_no_argument(self):
        answers = Answers((200, {}, ""))
        self.hook = f"http://localhost:{self.serve(answers)}/{SECRET}"
        process = self.start("--notify", "env:HOOK")
        self.fail_run(process)
        self.assertEqual(self.got(answers)[0], f"/{SECRET}")
        self.assertNotIn(SECRET, Path(f"/proc/{process.pid}/cmdline").read_text())
        state = next((self.home / "state/sightline/watch").glob("*.json"))
        self.assertNotIn(SECRET, state.read_text())


if __name__ == "__main__":
    PROGRAM = sys.argv.pop(1)
    unittest.main()
