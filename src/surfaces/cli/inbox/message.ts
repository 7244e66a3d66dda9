import { isUtf8 } from "node:buffer";
import type { Host, Output } from "../host.ts";
import { toJson } from "../json.ts";
import { columnsOf, renderTable } from "../table.ts";
import { visible, visibleLine, visibleLines, withoutCommand } from "../visible.ts";

/** A message as the server returns it. */
export interface MessageView {
  id: string;
  /** RFC 3339 in UTC. */
  at: string;
  method: string;
  /** With its question mark; empty if there is none. */
  query: string;
  headers: [name: string, value: string][];
  type: string | null;
  event: string | null;
  signature: "valid" | "invalid" | "unchecked";
  bytes: number;
  /** Set if the body is UTF-8; otherwise `bodyBase64` is. */
  body?: string;
  bodyBase64?: string;
}

/** The exact bytes of the body. */
export const bodyOf = ({ body, bodyBase64 }: MessageView): Buffer =>
  body === undefined ? Buffer.from(bodyBase64 ?? "", "base64") : Buffer.from(body);

/** Most characters of a body in the line of a message. */
const excerptLength = 1000;

/** Renders a message as one line, whose last field is the start of the body; separated by tabs unless on a terminal. */
export function renderMessage(message: MessageView, output: Output): string {
  const { id, at, method, type, signature, bytes } = message;
  const fields = [at, id, method, type ?? "-", signature, `${bytes} B`];
  const text = toExcerpt(message);
  if (!output.isTTY) return renderTable([], [[...fields, text]], output);
  const line = withoutCommand([...fields, text].map(visible).join("  "));
  return `${[...line].slice(0, columnsOf(output) - 1).join("")}\n`;
}

function toExcerpt(message: MessageView): string {
  const bytes = bodyOf(message);
  if (!isUtf8(bytes)) return "-";
  return bytes.toString().slice(0, excerptLength).trim();
}

/** Writes the body to standard output, exact to the byte in a pipe, and a line about the message to standard error. */
export async function writeMessage(
  message: MessageView,
  json: boolean | undefined,
  host: Host,
): Promise<void> {
  if (json === true) return host.stdout.write(toJson(message));
  const { id, at, method, type, signature } = message;
  await host.stderr.write(`${visibleLine(`${id} ${at} ${method} ${type ?? "-"} ${signature}`)}\n`);
  const bytes = bodyOf(message);
  // The sender of a message must not be able to control the reader's terminal.
  await host.stdout.write(host.stdout.isTTY ? `${visibleLines(bytes.toString())}\n` : bytes);
}
