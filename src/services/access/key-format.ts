import { hash } from "node:crypto";
import { crc32 } from "node:zlib";
import { refused } from "../../catalog/refused.ts";

/**
 * Prefix of a key, which is followed by 32 random base62 characters (190 bits) and a checksum of 6: 47 characters in
 * all.
 */
export const keyPrefix = "svc_live_";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const keyLength = keyPrefix.length + randomLength + checksumLength;
const keyShape = /^svc_(?:live|sess)_[0-9A-Za-z]{38}$/;

/** Creates a key, or a token of the same form with another prefix. `random` returns that many unpredictable bytes. */
export function createKey(random: (count: number) => Uint8Array, prefix = keyPrefix): string {
  let text = prefix;
  while (text.length < prefix.length + randomLength) {
    for (const byte of random(randomLength)) {
      // 248 is the last multiple of 62; using the remaining byte values would favour the first eight characters.
      if (byte < 248 && text.length < prefix.length + randomLength) text += alphabet[byte % 62];
    }
  }
  return text + checksum(text);
}

/**
 * Reports whether a text is a key by shape and checksum. Junk then costs no hash and no look-up, and a secret scanner
 * can verify a key offline.
 */
export function isKey(text: string, prefix = keyPrefix): boolean {
  if (text.length !== keyLength || !text.startsWith(prefix) || !keyShape.test(text)) return false;
  return text.endsWith(checksum(text.slice(0, -checksumLength)));
}

/** Reports whether a text contains a key or token, or most of one. */
export const holdsKey = (text: string): boolean => /svc_[a-z]+_[0-9A-Za-z]{20}/.test(text);

/** Refuses labels that contain a key: labels are stored and shown in clear. */
export function refuseSecret(text: string | undefined, pointer: string): void {
  if (text !== undefined && holdsKey(text)) {
    throw refused(pointer, "This text contains a key, which would be stored in clear. Leave the key out.");
  }
}

/**
 * Returns the hash under which a key is stored. SHA-256 without salt or stretching is enough for 190 random bits, which
 * have no dictionary. A look-up by hash needs no constant-time comparison: timing reveals bits of the hash, not of the
 * key.
 */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Returns the record id of a key from its hash. */
export function recordIdOf(keyHash: string): string {
  return keyHash.slice(0, 20);
}

/** Returns the record id within `key_…`, or undefined if the text is not a key id. */
export function recordIdFrom(keyId: string): string | undefined {
  return /^key_([0-9a-f]{20})$/.exec(keyId)?.[1];
}

/** Returns the CRC-32 of a text as six base62 digits (62⁶ > 2³²). A CRC detects every change of a single character. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
