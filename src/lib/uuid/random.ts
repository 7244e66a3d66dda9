import { stamp } from "./format.ts";

/** RFC 9562 §5.4 (version 4), as consecutive bytes. */
export function randomUuids(count: number, random: (size: number) => Uint8Array): Uint8Array {
  const bytes = random(16 * count);
  for (let at = 0; at < bytes.length; at += 16) stamp(bytes, at, 4);
  return bytes;
}
