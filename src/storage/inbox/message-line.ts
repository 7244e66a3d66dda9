import type { Message } from "./inbox-store.ts";

// A line is JSON. That of a message also has its body in base64 behind a tab, which JSON never contains, so that a
// search for a message does not parse bodies.

/** The first line of a file; the number is its version. */
export interface HeaderLine {
  v: number;
  duplicates: number;
}

/** The number of duplicates so far: absolute, so that such a line may be lost. */
export interface CountLine {
  duplicates: number;
}

export type MessageLine = Omit<Message, "body">;

const tab = 0x09;

export const toMessageLine = ({ body, ...rest }: Message): string =>
  `${JSON.stringify(rest)}\t${Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString("base64")}`;

/** Parses a line without its body. @throws SyntaxError if it is not JSON. */
export function parseLine(payload: Buffer): HeaderLine | CountLine | MessageLine {
  const end = payload.indexOf(tab);
  return JSON.parse(payload.toString("utf8", 0, end === -1 ? payload.length : end)) as MessageLine;
}

/** Parses the line of a message. */
export function parseMessage(payload: Buffer): Message {
  const end = payload.indexOf(tab);
  const body = Buffer.from(payload.toString("latin1", end + 1), "base64");
  return { ...(parseLine(payload) as MessageLine), body };
}
