import { quote } from "../../../../lib/shell-words.ts";
import { newLine } from "../elsewhere/snippets.ts";

/** A message of an inbox, as the API has it. */
export interface ReceivedMessage {
  method: string;
  /** With its question mark; empty if there is none. */
  query: string;
  headers: readonly { name: string; value: string }[];
  /** Null if it is not text. */
  body: string | null;
  bodyBase64: string;
}

/** Headers of the connection, which curl makes itself. */
const own =
  /^(?:host|content-length|connection|transfer-encoding|expect|te|trailer|upgrade|accept-encoding)$/i;

/** Returns a command that sends a message again, byte for byte, to the inbox that received it. */
export function toCurl({ method, query, headers, body, bodyBase64 }: ReceivedMessage, url: string): string {
  const isPlain = body !== null && isTypable(body);
  const curl = [
    `curl -X ${method} ${quote(url + query)}`,
    ...headers.filter(({ name }) => !own.test(name)).map((header) => `-H ${toHeader(header)}`),
    `--data-binary ${isPlain ? quote(body) : "@-"}`,
  ].join(newLine);
  return isPlain ? curl : `printf %s ${quote(bodyBase64)} | base64 -d | ${curl}`;
}

/** curl drops a header without a value unless it ends in a semicolon. */
const toHeader = ({ name, value }: { name: string; value: string }): string =>
  quote(value === "" ? `${name};` : `${name}: ${value}`);

/** A terminal obeys control characters of a text that is pasted, and curl takes a text that begins with @ for the name of a file. */
const isTypable = (text: string): boolean => !text.startsWith("@") && !/[^\P{Cc}\n\t]|\p{Cf}/u.test(text);
