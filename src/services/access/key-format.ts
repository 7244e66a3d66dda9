import { hash } from "node:crypto";
import { crc32 } from "node:zlib";

/** `svc_live_`, 32 random base62 characters (190 bits) and a checksum of 6: 47 characters. */
export const keyPrefix = "svc_live_";

const alphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const randomLength = 32;
const checksumLength = 6;
const keyLength = keyPrefix.length + randomLength + checksumLength;
const keyShape = /^svc_(?:live|sess)_[0-9A-Za-z]{38}$/;

/** Makes a new key, or with another prefix what is made like one. `random` gives that many unpredictable bytes. */
export function createKey(random: (count: number) => Uint8Array, prefix = keyPrefix): string {
  let text = prefix;
  while (text.length < prefix.length + randomLength) {
    for (const byte of random(randomLength)) {
      // 248 is the last multiple of 62: taking the rest of all 256 values would favour the first eight characters.
      if (byte < 248 && text.length < prefix.length + randomLength) text += alphabet[byte % 62];
    }
  }
  return text + checksum(text);
}

/**
 * Is this a key, by shape and checksum alone? Junk costs no hash and no look-up, and a secret scanner can
 * tell a real key from a lookalike offline.
 */
export function isKey(text: string, prefix = keyPrefix): boolean {
  if (text.length !== keyLength || !text.startsWith(prefix) || !keyShape.test(text)) return false;
  return text.endsWith(checksum(text.slice(0, -checksumLength)));
}

/** Whether a text has a key or a token in it, or most of one: labels are kept and shown as they are, in clear. */
export const holdsKey = (text: string): boolean => /svc_[a-z]+_[0-9A-Za-z]{20}/.test(text);

/**
 * What is kept of a key. A plain SHA-256 is enough for 190 random bits: there is no dictionary to try. It
 * also needs no constant-time comparison, since what a look-up by hash leaks is not the key.
 */
export function hashKey(key: string): string {
  return hash("sha256", key, "hex");
}

/** Where the record of a key lies, by its hash. */
export function recordIdOf(keyHash: string): string {
  return keyHash.slice(0, 20);
}

/** The record id within `key_…`, or undefined where that is no key id. */
export function recordIdFrom(keyId: string): string | undefined {
  return /^key_([0-9a-f]{20})$/.exec(keyId)?.[1];
}

/** CRC-32 of all before it, in base62, six digits (62⁶ > 2³²). A CRC finds every change of a single character. */
function checksum(text: string): string {
  let rest = crc32(text);
  let digits = "";
  for (let i = 0; i < checksumLength; i++) {
    digits = alphabet[rest % 62] + digits;
    rest = Math.floor(rest / 62);
  }
  return digits;
}
