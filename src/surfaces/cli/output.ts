import { fstatSync, writeSync } from "node:fs";
import { isatty } from "node:tty";
import type { Output } from "./host.ts";

export interface OpenedOutput extends Output {
  /** The stream of the output, opened on first use; its errors are handled. */
  stream(): NodeJS.WriteStream;
  /** Resolves when everything is flushed. */
  flush(): Promise<void>;
}

/**
 * Writes to a file descriptor without Node's streams, whose modules take a tenth of the time of a short command. What a
 * descriptor that does not block leaves over goes to its stream, and so does everything after that. Node's streams over
 * files, pipes and terminals are synchronous too, so that nothing else changes.
 */
export function createOutput(fd: number, open: () => NodeJS.WriteStream): OpenedOutput {
  let opened: NodeJS.WriteStream | undefined;
  let broken: Error | undefined;
  let terminal: boolean | undefined;
  // Without a listener a closed pipe would end the process, and a server must outlive its log.
  const stream = () => (opened ??= open().on("error", (error) => (broken ??= error)));
  const pass = (chunk: string | Uint8Array): Promise<void> =>
    new Promise((resolve, reject) => {
      if (broken !== undefined) reject(broken);
      else stream().write(chunk, (error) => (error ? reject(error) : resolve()));
    });
  return {
    stream,
    get isTTY() {
      return (terminal ??= isTerminal(fd));
    },
    get columns() {
      return this.isTTY ? stream().columns : 0;
    },
    async write(chunk) {
      const left = opened === undefined ? writeNow(fd, chunk) : chunk;
      if (left.length > 0) await pass(left);
    },
    async flush() {
      if (opened !== undefined) await pass("");
    },
  };
}

/** Writes as much as the descriptor takes, and returns the rest. */
function writeNow(fd: number, chunk: string | Uint8Array): Uint8Array {
  const bytes = typeof chunk === "string" ? Buffer.from(chunk) : chunk;
  let at = 0;
  try {
    while (at < bytes.length) at += writeSync(fd, bytes, at);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EAGAIN") throw error;
  }
  return bytes.subarray(at);
}

/** Asking whether a descriptor is a terminal loads Node's streams, and only a device can be one. */
function isTerminal(fd: number): boolean {
  try {
    return fstatSync(fd).isCharacterDevice() && isatty(fd);
  } catch {
    return false;
  }
}
