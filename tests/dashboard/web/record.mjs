// Event files of TensorBoard, written by hand: for journeys that need many runs, or one that grows.
import { appendFileSync, mkdirSync } from "node:fs";
import { dirname } from "node:path";

const table = Array.from({ length: 256 }, (_, n) => {
  for (let k = 0; k < 8; k++) n = n & 1 ? 0x82f63b78 ^ (n >>> 1) : n >>> 1;
  return n >>> 0;
});

/** The masked CRC-32C of TFRecord files. */
function checksum(bytes) {
  let crc = 0xffffffff;
  for (const byte of bytes) crc = table[(crc ^ byte) & 255] ^ (crc >>> 8);
  crc = (crc ^ 0xffffffff) >>> 0;
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}

function varint(value) {
  const bytes = [];
  for (; value > 127; value = Math.floor(value / 128)) bytes.push((value % 128) | 128);
  return Buffer.from([...bytes, value]);
}

const key = (field, type) => varint(field * 8 + type);
const whole = (field, value) => Buffer.concat([key(field, 0), varint(value)]);
const bytes = (field, value) => Buffer.concat([key(field, 2), varint(Buffer.byteLength(value)), Buffer.from(value)]);
const number = (field, value, double) => {
  const buffer = Buffer.alloc(double ? 8 : 4);
  if (double) buffer.writeDoubleLE(value);
  else buffer.writeFloatLE(value);
  return Buffer.concat([key(field, double ? 1 : 5), buffer]);
};

function record(data) {
  const head = Buffer.alloc(8);
  head.writeUInt32LE(data.length);
  const sums = [head, data].map((part) => {
    const sum = Buffer.alloc(4);
    sum.writeUInt32LE(checksum(part));
    return sum;
  });
  return Buffer.concat([head, sums[0], data, sums[1]]);
}

const event = (time, step, more) => record(Buffer.concat([number(1, time, true), whole(2, step), more]));

/**
 * Adds events to a file, which is made when it is not there: {step: value} of a scalar. They are
 * MindSpore's if the name of the file ends in _MS.
 */
export function addScalars(file, tag, values, time) {
  mkdirSync(dirname(file), { recursive: true });
  const field = file.endsWith("_MS") ? 3 : 2;
  const all = Object.entries(values).map(([step, value]) => event(time, Number(step), bytes(5, bytes(1, Buffer.concat([bytes(1, tag), number(field, value, false)])))));
  appendFileSync(file, Buffer.concat(all));
}

/** Begins a file: its version, and the hyper-parameters (numbers) as the hparams plugin has them. */
export function begin(file, parameters, time) {
  mkdirSync(dirname(file), { recursive: true });
  const entries = Object.entries(parameters).map(([name, value]) => bytes(1, Buffer.concat([bytes(1, name), bytes(2, number(2, value, true))])));
  const content = Buffer.concat([whole(1, 0), bytes(3, Buffer.concat(entries))]);
  const metadata = bytes(1, Buffer.concat([bytes(1, "hparams"), bytes(2, content)]));
  const value = Buffer.concat([bytes(1, "_hparams_/session_start_info"), bytes(9, metadata)]);
  appendFileSync(file, Buffer.concat([event(time, 0, bytes(3, "brain.Event:2")), event(time, 0, bytes(5, bytes(1, value)))]));
}
