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

  return (chunk: Uint8Array): void => {
    let at = 0;
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
