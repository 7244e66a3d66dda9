import { hash } from "node:crypto";
import { parseUuid, stamp } from "./format.ts";

/** RFC 9562 §5.3 (version 3, MD5) and §5.5 (version 5, SHA-1), over the UTF-8 of the name. */
export function namedUuids(
  version: "3" | "5",
  count: number,
  namespace: Uint8Array,
  name: string,
): Uint8Array {
  const input = Buffer.concat([namespace, Buffer.from(name)]);
  const digest = hash(version === "3" ? "md5" : "sha1", input, "buffer");
  const bytes = new Uint8Array(16 * count);
  for (let at = 0; at < bytes.length; at += 16) {
    bytes.set(digest.subarray(0, 16), at);
    stamp(bytes, at, Number(version));
  }
  return bytes;
}

/** Returns the bytes of a namespace by name (RFC 9562 §6.6) or as a UUID; undefined if it is neither. */
export function toNamespace(text: string): Uint8Array | undefined {
  return parseUuid(Object.hasOwn(namespaces, text) ? namespaces[text as keyof typeof namespaces] : text);
}

const namespaces = {
  dns: "6ba7b810-9dad-11d1-80b4-00c04fd430c8",
  url: "6ba7b811-9dad-11d1-80b4-00c04fd430c8",
  oid: "6ba7b812-9dad-11d1-80b4-00c04fd430c8",
  x500: "6ba7b814-9dad-11d1-80b4-00c04fd430c8",
};
