import { accepts, type Guess } from "./guess.ts";
import { magicOf } from "./magic.ts";
import { decodeXml } from "../xml/decode.ts";
import { isCertificate } from "../x509/shape.ts";
import { validateXml } from "../xml/validate.ts";
import { hasBinaryControls, type Sample } from "./sample.ts";

/** Bytes that are not text in UTF-8. */
export function detectBinary({ bytes, size, isText }: Sample): Guess[] {
  if (isText || bytes.length === 0) return [];
  const add = (kind: Guess["kind"], confidence: number, reason: string): Guess[] => [
    { kind, confidence, reason },
  ];
  if (bytes[0] === 0x30 && (bytes[1] ?? 0) > 0x80 && isCertificate(Buffer.from(bytes)))
    return add("certificate", 0.97, "It is a certificate in DER.");
  const magic = magicOf(bytes);
  if (magic !== undefined)
    return add(magic.group === "picture" ? "picture" : "binary", 0.95, `It begins as ${magic.name} does.`);
  const head = Buffer.from(bytes.subarray(0, 65_536)).toString("latin1");
  if (/^(?:\xff\xfe|\xfe\xff)?\0?<\0?\??\0?[A-Za-z?]/.test(head) && size === bytes.length && size <= 65_536) {
    const fault = accepts(() => decodeXml(bytes)) ? validateXml(decodeXml(bytes), false)[0] : undefined;
    return fault === undefined
      ? add("xml", 0.95, "It is well-formed XML in its own encoding.")
      : add("xml-broken", 0.85, `It looks like XML, with a fault: ${fault.message}`);
  }
  if (/^(?:\xff\xfe|\xfe\xff)/.test(head))
    return add("utf-16", 0.95, "It begins with the byte order mark of UTF-16.");
  const zeros = head.slice(0, 4096).match(/\0/g)?.length ?? 0;
  if (zeros > 0 && zeros >= Math.min(4096, head.length) * 0.4 && /^(?:[^\0]\0|\0[^\0]){2,}/.test(head))
    return add("utf-16", 0.85, "Every other byte is zero, as in UTF-16.");
  const text = !hasBinaryControls(bytes.subarray(0, 65_536));
  return add("binary", 0.9, text ? "It is text, but not in UTF-8." : "It is binary data.");
}
