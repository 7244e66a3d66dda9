import { type Line, onLine } from "../lines.ts";
import { type Address, parseAddress } from "./parse.ts";

/**
 * Parses an address, also with a port: 10.1.2.3:443 or [2001:db8::1]:443, as logs have it.
 * @throws DocumentFault with the index of the fault in `text`.
 */
export const parseHost = (text: string): Address => onLine(withoutPort(text), parseAddress);

/** Returns the address of a text without its port, and its index; another text as it is. */
export function withoutPort(text: string): Line {
  const [, v4, v6] = /^(?:([\d.]+):\d{1,5}|\[([^\]]+)\](?::\d{1,5})?)$/.exec(text) ?? [];
  return v6 === undefined ? { text: v4 ?? text, index: 0 } : { text: v6, index: 1 };
}
