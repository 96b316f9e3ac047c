#!/usr/bin/env python3
"""Makes memory snapshots with the keys that torch.cuda.memory._snapshot() writes, beside this script.

Device 0 holds 1,000 bytes from before the events, which it frees, and 300 to their end. Its events allocate 4,000 bytes
twice, in one microsecond with the end of the first. Device 1 runs out of memory.
"""

import pickle
from pathlib import Path


def frame(name, line):
    return {"name": name, "filename": f"/src/{name}.py", "line": line}


TRAIN = [frame("forward", 7), frame("train", 3)]
LOAD = [frame("load", 9), frame("train", 2)]
US = 1_764_000_000_000_000


def event(action, addr, size, time, frames):
    return {
        "action": action,
        "device_free" if action == "oom" else "addr": addr,
        "size": size,
        "stream": 0,
        "time_us": US + time,
        "compile_context": "N/A",
        "user_metadata": "",
        "frames": frames,
    }


def block(address, size, requested_size, state, frames):
    return {"address": address, "size": size, "requested_size": requested_size, "state": state, "frames": frames}


def segment(device, address, total_size, blocks):
    held = [b for b in blocks if b["state"].startswith("active")]
    return {
        "device": device,
        "address": address,
        "total_size": total_size,
        "allocated_size": sum(b["size"] for b in held),
        "active_size": sum(b["size"] for b in held),
        "requested_size": sum(b["requested_size"] for b in held),
        "stream": 0,
        "segment_type": "large",
        "segment_pool_id": (0, 0),
        "is_expandable": False,
        "frames": [],
        "blocks": blocks,
    }


BASE = 1 << 46
SNAPSHOT = {
    "segments": [
        segment(
            0,
            BASE,
            20480,
            [
                block(BASE, 512, 300, "active_allocated", LOAD),
                block(BASE + 512, 4096, 4000, "active_awaiting_free", TRAIN),
                block(BASE + 4608, 15872, 1000, "inactive", []),
            ],
        ),
    ],
    "device_traces": [
        [
            event("free_requested", BASE + 8192, 1000, 0, LOAD),
            event("alloc", BASE + 512, 4000, 1, TRAIN),
            event("free_completed", BASE + 8192, 1000, 2, LOAD),
            event("segment_alloc", BASE + 10240, 10240, 3, LOAD),
            event("alloc", BASE + 10240, 5000, 4, LOAD),
            event("free_requested", BASE + 512, 4000, 4, TRAIN),
            event("free_completed", BASE + 512, 4000, 5, TRAIN),
            event("alloc", BASE + 512, 4000, 5, TRAIN),
            event("free_requested", BASE + 10240, 5000, 6, LOAD),
            event("free_completed", BASE + 10240, 5000, 7, LOAD),
            event("free_requested", BASE + 512, 4000, 8, TRAIN),
            event("snapshot", 0, 0, 9, []),
        ],
        [event("oom", 77, 1 << 40, 3, TRAIN)],
    ],
    "allocator_settings": {"PYTORCH_CUDA_ALLOC_CONF": "", "max_split_size": -1, "garbage_collection_threshold": 0.0},
    "external_annotations": [{"stage": "START", "name": "step", "device": 0, "time_us": US}],
}

for protocol in (2, 4):
    (Path(__file__).parent / f"protocol{protocol}_snapshot.pickle").write_bytes(pickle.dumps(SNAPSHOT, protocol))
