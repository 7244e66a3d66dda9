import { type Frame, parseHeader, prefixBytes, readPrefix } from "../../catalog/frames.ts";

/** Most bytes of a header; a refusal with all its findings is far smaller. */
const maxHeaderBytes = 16 * 1_048_576;

/**
 * Assembles frames from the chunks of a pipe, without copying a body twice.
 * @throws Error if a body is larger than `maxBodyBytes` or a header is not JSON.
 */
export function createFrameReader(onFrame: (frame: Frame) => void, maxBodyBytes: number) {
  let part: "prefix" | "header" | "body" = "prefix";
  let target = new Uint8Array(prefixBytes);
  let filled = 0;
  let header: unknown;
  let bodyBytes = 0;

  function expect(next: typeof part, bytes: number): void {
    part = next;
    target = new Uint8Array(bytes);
    filled = 0;
  }

  function finish(): void {
    if (part === "prefix") {
      const sizes = readPrefix(target);
      if (sizes.header > maxHeaderBytes || sizes.body > maxBodyBytes) {
        throw new Error(
          `A worker process sent a header of ${sizes.header} bytes and a body of ${sizes.body}`,
        );
      }
      bodyBytes = sizes.body;
      expect("header", sizes.header);
    } else if (part === "header") {
      header = parseHeader(target);
      expect("body", bodyBytes);
    } else {
      const body = target;
      expect("prefix", prefixBytes);
      onFrame({ header, body });
    }
  }

  /** Takes a frame that is whole in a chunk, as small answers are, and returns where the next one begins. */
  function takeWhole(chunk: Uint8Array, at: number): number {
    if (part !== "prefix" || filled > 0 || chunk.length - at < prefixBytes) return at;
    const sizes = readPrefix(chunk.subarray(at, at + prefixBytes));
    const headerAt = at + prefixBytes;
    const bodyAt = headerAt + sizes.header;
    const end = bodyAt + sizes.body;
    if (end > chunk.length || sizes.body > maxBodyBytes) return at;
    // A copy, because the chunk is a buffer of 64 KiB that would stay with a small body.
    const body = new Uint8Array(chunk.subarray(bodyAt, end));
    onFrame({ header: parseHeader(chunk.subarray(headerAt, bodyAt)), body });
    return end;
  }

  return (chunk: Uint8Array): void => {
    let at = 0;
    for (let next = takeWhole(chunk, at); next > at; next = takeWhole(chunk, at)) at = next;
    // An empty body is complete as soon as its header is.
    while (at < chunk.length || (part === "body" && filled === target.length)) {
      const taken = Math.min(chunk.length - at, target.length - filled);
      target.set(chunk.subarray(at, at + taken), filled);
      filled += taken;
      at += taken;
      if (filled === target.length) finish();
    }
  };
}
