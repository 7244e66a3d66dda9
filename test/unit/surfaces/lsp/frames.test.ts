import { describe, expect, test } from "vitest";
import { FramingError, readFrames, toFrame } from "../../../../src/surfaces/lsp/frames.ts";

async function* chunksOf(bytes: Uint8Array, size: number): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}

async function read(text: string | Uint8Array, { size = 7, max = 100 } = {}): Promise<string[]> {
  const found: string[] = [];
  for await (const frame of readFrames(chunksOf(Buffer.from(text), size), max))
    found.push(frame === "too-long" ? frame : Buffer.from(frame.bytes).toString());
  return found;
}

const frame = (body: string): string => `Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`;

describe("messages", () => {
  test.each([1, 2, 3, 5, 8, 13, 1000])("are read from chunks of %i bytes", async (size) => {
    const text = `${frame('{"a":"é😀"}')}${frame("")}${frame("{}\r\n\r\n")}`;
    // An empty message is none, and JSON-RPC has no use for it.
    expect((await read(text, { size })).filter((one) => one !== "")).toEqual(['{"a":"é😀"}', "{}\r\n\r\n"]);
  });

  test("may have other headers, in any case", async () => {
    expect(
      await read("content-length:  2 \r\nContent-Type: application/vscode-jsonrpc; charset=utf8\r\n\r\n{}"),
    ).toEqual(["{}"]);
  });

  test("that are too long are skipped without being kept, and the next one is read", async () => {
    expect(await read(frame("x".repeat(101)) + frame("{}"))).toEqual(["too-long", "{}"]);
    expect(await read(frame("x".repeat(100)) + frame("{}"))).toEqual(["x".repeat(100), "{}"]);
  });

  test("that end early are none", async () => {
    expect(await read(frame("{}").slice(0, -1))).toEqual([]);
    expect(await read("Content-Len")).toEqual([]);
  });

  test.each([
    ["{}\r\n\r\n{}", /no name/],
    ["Content-Length: 2, 2\r\n\r\n{}", /must be one number/],
    ["Content-Length: -2\r\n\r\n{}", /must be one number/],
    ["Content-Length: 2e9\r\n\r\n{}", /must be one number/],
    ["Content-Length: 9999999999999999\r\n\r\n{}", /must be one number/],
    ["Content-Length: 2\r\nContent-Length: 2\r\n\r\n{}", /must be one number/],
    ["Content-Length: 2\n\n{}" + "x".repeat(5000), /longer than 4,096/],
    ["Content-Type: a\r\n\r\n{}", /no Content-Length/],
    ["Content-Length: 2\r\nContent-Type: a; charset=utf-16\r\n\r\n{}", /Only UTF-8/],
    ["x".repeat(5000), /longer than 4,096/],
  ])("%j is no header", async (text, message) => {
    await expect(read(text)).rejects.toThrow(message);
    await expect(read(text)).rejects.toBeInstanceOf(FramingError);
  });

  test("that are written can be read", async () => {
    expect(await read(toFrame({ a: "é😀" }))).toEqual(['{"a":"é😀"}']);
  });
});
