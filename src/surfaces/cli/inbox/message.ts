import { isUtf8 } from "node:buffer";
import type { Host, Output } from "../host.ts";
import { toJson } from "../json.ts";
import { renderTable } from "../table.ts";
import { visible, visibleLine, visibleLines, withoutCommand } from "../visible.ts";

/** A message as the server tells it. */
export interface MessageView {
  id: string;
  /** RFC 3339 in UTC. */
  at: string;
  method: string;
  /** With its question mark, or empty. */
  query: string;
  headers: [name: string, value: string][];
  type: string | null;
  event: string | null;
  signature: "valid" | "invalid" | "unchecked";
  bytes: number;
  /** Where it is UTF-8; otherwise it is in `bodyBase64`. */
  body?: string;
  bodyBase64?: string;
}

/** The body, byte for byte as it came. */
export const bodyOf = ({ body, bodyBase64 }: MessageView): Buffer =>
  body === undefined ? Buffer.from(bodyBase64 ?? "", "base64") : Buffer.from(body);

/** Columns of a terminal that nobody has told its width. */
const usualWidth = 100;
/** Characters of a body in the line of a message. */
const excerptLength = 1000;

/** One line; fields are separated by tabs for a script. The last one is how the body begins, as far as there is room. */
export function renderMessage(message: MessageView, output: Output): string {
  const { id, at, method, type, signature, bytes } = message;
  const fields = [at, id, method, type ?? "-", signature, `${bytes} B`];
  const text = toExcerpt(message);
  if (!output.isTTY) return renderTable([], [[...fields, text]], output);
  const line = withoutCommand([...fields, text].map(visible).join("  "));
  return `${[...line].slice(0, (output.columns || usualWidth) - 1).join("")}\n`;
}

function toExcerpt(message: MessageView): string {
  const bytes = bodyOf(message);
  if (!isUtf8(bytes)) return "-";
  return bytes.toString().slice(0, excerptLength).trim();
}

/** The body alone on standard output, for a pipe byte for byte; what else is to be said goes to standard error. */
export async function writeMessage(
  message: MessageView,
  json: boolean | undefined,
  host: Host,
): Promise<void> {
  if (json === true) return host.stdout.write(toJson(message));
  const { id, at, method, type, signature } = message;
  await host.stderr.write(`${visibleLine(`${id} ${at} ${method} ${type ?? "-"} ${signature}`)}\n`);
  const bytes = bodyOf(message);
  // Whoever sends to an inbox could otherwise write on the terminal of whoever reads it.
  await host.stdout.write(host.stdout.isTTY ? `${visibleLines(bytes.toString())}\n` : bytes);
}
