/** First and last port. */
export type PortRange = readonly [first: number, last: number];

/** Reports whether the text is a port from 1 to 65535, or a range of two joined by a hyphen. */
export function isPortRange(text: string): boolean {
  if (!/^\d{1,5}(?:-\d{1,5})?$/.test(text)) return false;
  const [first, last] = parsePortRange(text);
  return first >= 1 && first <= last && last <= 65_535;
}

/** Parses a text that `isPortRange` accepts. */
export function parsePortRange(text: string): PortRange {
  const [first = "", last = first] = text.split("-");
  return [Number(first), Number(last)];
}

/** Returns the port of a URL, by default that of its scheme. */
export const portOf = ({ port, protocol }: URL): number =>
  port !== "" ? Number(port) : protocol === "https:" ? 443 : 80;
