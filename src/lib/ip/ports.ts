/** First and last port. */
export type PortRange = readonly [first: number, last: number];

/** Whether the text is a port from 1 to 65535, or two of them with a hyphen in between. */
export function isPortRange(text: string): boolean {
  if (!/^\d{1,5}(?:-\d{1,5})?$/.test(text)) return false;
  const [first, last] = parsePortRange(text);
  return first >= 1 && first <= last && last <= 65_535;
}

/** Reads what `isPortRange` accepts. */
export function parsePortRange(text: string): PortRange {
  const [first = "", last = first] = text.split("-");
  return [Number(first), Number(last)];
}

/** The port of a URL, its scheme's where it names none. */
export const portOf = ({ port, protocol }: URL): number =>
  port !== "" ? Number(port) : protocol === "https:" ? 443 : 80;
