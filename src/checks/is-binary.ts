import { isUtf8 } from "node:buffer";

/** Bytes in which Git looks for NUL. */
const start = 8000;

/**
 * Reports whether bytes are no text in any encoding: they have a NUL near the start and are not UTF-16, or they are not UTF-8 and
 * have control characters that no text has.
 */
export function isBinary(bytes: Uint8Array): boolean {
  const head = bytes.subarray(0, start);
  if (/^(?:\xff\xfe|\xfe\xff)/.test(Buffer.from(head.subarray(0, 2)).toString("latin1"))) return false;
  // \t, \n, \f, \r and the escape of terminals stand in texts.
  const control = head.findIndex(
    (byte) => byte < 9 || byte === 11 || (byte > 13 && byte < 32 && byte !== 27),
  );
  return head.includes(0) || (control >= 0 && !isUtf8(bytes));
}
