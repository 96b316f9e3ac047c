"""Messages from forked children to the process that forked them.

There is no lock that a killed child could keep: a message goes in packets, which the system never mixes, and the parent
puts those of each sender together.
"""

import os
import socket
import struct
import threading
from collections.abc import Callable

_PACKET = 1 << 15  # Well below what a socket takes at once.
_HEADER = struct.Struct(
    "<QQ??"
)  # The sender's process and thread; whether a message begins and ends here.


class Messages:
    """Make one before a fork. Then call serve() in the parent, and belong_to_child() in the child."""

    def __init__(self, take: Callable[[bytes], object]) -> None:
        """take: is called with every message, in the parent."""
        self._take = take
        self._in, self._out = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._parts: dict[tuple[int, int], list[bytes]] = {}  # Of messages that are not complete.
        self._receiving = threading.Lock()
        self._thread: threading.Thread | None = None

    def serve(self) -> None:
        """Starts the thread that receives, if it does not run."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._serve, name="sightline", daemon=True)
            self._thread.start()

    def belong_to_child(self) -> None:
        """From now on only the parent holds the end that receives, so that send() fails once it has ended."""
        self._in.close()

    def send(self, message: bytes) -> bool:
        """Whether the parent will receive the message. Waits while the parent does not receive."""
        sender = os.getpid(), threading.get_ident()
        begins = range(0, max(len(message), 1), _PACKET)
        try:
            for begin in begins:
                header = _HEADER.pack(*sender, begin == 0, begin == begins[-1])
                packet = header + message[begin : begin + _PACKET]
                self._out.send(packet, socket.MSG_NOSIGNAL)
        except OSError:
            return False
        return True

    def receive(self) -> None:
        """Takes everything that was sent before."""
        with self._receiving:
            while True:
                try:
                    packet = self._in.recv(_HEADER.size + _PACKET, socket.MSG_DONTWAIT)
                except BlockingIOError:
                    return
                self._join(packet)

    def _join(self, packet: bytes) -> None:
        process, thread, begins, ends = _HEADER.unpack_from(packet)
        if begins:
            self._parts[process, thread] = []
        parts = self._parts.get((process, thread))
        if parts is None:
            return
        parts.append(packet[_HEADER.size :])
        if ends:
            del self._parts[process, thread]
            self._take(b"".join(parts))

    def _serve(self) -> None:
        while True:
            self._in.recv(1, socket.MSG_PEEK)  # Waits.
            self.receive()
