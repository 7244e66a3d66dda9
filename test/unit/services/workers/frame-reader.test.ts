import { expect, test } from "vitest";
import { type Frame, toParts } from "../../../../src/catalog/frames.ts";
import { createFrameReader } from "../../../../src/services/workers/frame-reader.ts";

const frames: Frame[] = [
  { header: { kind: "ready" }, body: new Uint8Array() },
  { header: { kind: "answer", answer: { text: "é" } }, body: new Uint8Array([1, 2, 3]) },
  { header: { kind: "answer", answer: {} }, body: new Uint8Array(300).fill(7) },
  { header: { kind: "bug" }, body: new Uint8Array() },
];
const bytes = Buffer.concat(frames.flatMap(toParts));

test("frames are the same, wherever the chunks of a pipe begin and end", () => {
  for (let size = 1; size <= bytes.length; size++) {
    const found: Frame[] = [];
    const read = createFrameReader((frame) => void found.push(frame), 1000);
    for (let at = 0; at < bytes.length; at += size) read(bytes.subarray(at, at + size));
    expect(found).toEqual(frames);
  }
});

test("a small body does not hold the chunk that it came in", () => {
  const found: Frame[] = [];
  createFrameReader((frame) => void found.push(frame), 1000)(bytes);
  expect(found.map(({ body }) => body.buffer.byteLength)).toEqual([0, 3, 300, 0]);
});

test("a body above the limit is refused before it is stored", () => {
  const read = createFrameReader(() => expect.unreachable(), 10);
  const large = Buffer.concat(toParts({ header: {}, body: new Uint8Array(11) }));
  expect(() => read(large.subarray(0, 9))).toThrow("a body of 11");
  expect(() => createFrameReader(() => expect.unreachable(), 10)(large)).toThrow("a body of 11");
});
