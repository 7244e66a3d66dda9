import { isUtf8 } from "node:buffer";
import { decodeBase64 } from "../base64/decode.ts";
import { decodeHexLayout } from "../hex-layout.ts";
import { decodePercentLeniently } from "../percent.ts";
import { type Guess, isReadable, shareOf } from "./guess.ts";
import { type Magic, magicOf } from "./magic.ts";
import type { Sample } from "./sample.ts";

/** Bytes that are not text are shown in digits. */
const binary = { outputEncoding: "hex" } as const;

/** Most characters that are decoded, a multiple of four. */
const maxDecoded = 256 * 1024;

/** Base64 alone, in a data URL or after `Basic`. */
export function detectBase64(sample: Sample): Guess[] {
  const { text, bytes, size } = sample;
  const url = /^data:[\w.+/;=-]{0,200};base64,/.exec(text.slice(0, 256))?.[0];
  const basic = /(?:^|[\s'"])(?:authorization:\s*)?basic\s+([A-Za-z\d+/]{4,400}={0,2})(?=['"\s]|$)/i.exec(
    text.slice(0, 4096),
  );
  if (url === undefined && basic !== null) {
    const decoded = Buffer.from(basic[1] as string, "base64");
    const part = {
      index: basic.index + basic[0].length - (basic[1] as string).length,
      length: (basic[1] as string).length,
    };
    if (!decoded.includes(":") || !isReadable(decoded)) return [];
    return [
      {
        kind: "base64",
        confidence: 0.94,
        reason: "It has the user and password of basic authentication.",
        part,
        decoded,
      },
    ];
  }
  const inner = /data:[\w.+/;=-]{0,200};base64,[\w+/=-]{8,4000}/.exec(text.slice(0, 8192));
  if (url === undefined && inner !== null) return ofDataUrl(inner, sample);
  const prefix = url ?? "";
  // All of a long input is read in one pass: a sample says nothing about its padding.
  const all = sample.whole ? Buffer.from(text) : Buffer.from(bytes);
  const body = all.toString("latin1", prefix.length).trimEnd();
  if (body.length < (body.endsWith("=") ? 4 : 6) || !/^[\w+/=\s-]+$/.test(body)) return [];
  const joined = body.replaceAll(/\s+/g, "");
  const cut = size > bytes.length;
  const sextets = joined.replace(/={1,2}$/, "");
  const rest = sextets.length % 4;
  if (sextets.includes("=") || (rest === 1 && !cut) || hasWords(body)) return [];
  const used = sextets.length > maxDecoded ? maxDecoded : sextets.length - (cut ? rest : 0);
  const decoded = decode(sextets.slice(0, used));
  if (decoded === undefined) return [];
  // What is cut off may end within a character.
  const isText = isUtf8(decoded) || (used < sextets.length && isReadable(decoded));
  const options = isText ? {} : binary;
  if (url !== undefined)
    return [{ kind: "base64", confidence: 0.97, reason: "It is a data URL in base64.", options, decoded }];
  const known = confidenceOf(sextets, joined.length > sextets.length, decoded);
  if (known === 0) return [];
  const content = magicOf(decoded)?.name ?? (isReadable(decoded) ? "text" : `${decoded.length} bytes`);
  return [
    {
      kind: "base64",
      confidence: known,
      reason: `It is valid base64, of ${content}.`,
      options,
      decoded,
      ...(used < sextets.length && { decodedSize: size }),
    },
  ];
}

/** A data URL within other text. */
function ofDataUrl({ 0: url, index }: RegExpExecArray, { line }: Sample): Guess[] {
  const decoded = decode(url.slice(url.indexOf(",") + 1).replace(/=+$/, ""));
  if (decoded === undefined) return [];
  const part = { index, length: url.length };
  const reason = "It contains a data URL in base64.";
  const options = isUtf8(decoded) ? {} : binary;
  return [{ kind: "base64", confidence: line === "" ? 0.6 : 0.85, reason, options, part, decoded }];
}

function decode(sextets: string): Uint8Array | undefined {
  try {
    return decodeBase64(Buffer.from(sextets));
  } catch {
    return undefined;
  }
}

/** Several words that are separated by spaces are no base64, which is wrapped into lines of one length. */
function hasWords(body: string): boolean {
  const words = body.slice(0, 4096).split(/\s+/);
  if (words.length < 2) return false;
  const first = (words[0] as string).length;
  return first < 16 || words.slice(0, -2).some((word) => word.length !== first);
}

function confidenceOf(sextets: string, padded: boolean, decoded: Uint8Array): number {
  const magic: Magic | undefined = magicOf(decoded);
  if (magic !== undefined && sextets.length >= 12) return 0.96;
  const mixed = /[a-z]/.test(sextets) && /[A-Z]/.test(sextets);
  if (isReadable(decoded))
    return /^\d+$/.test(sextets) ? 0.3 : mixed || padded ? (sextets.length < 8 && !padded ? 0.7 : 0.95) : 0.6;
  if (/^[\da-fA-F]+$/.test(sextets) || sextets.includes("_") === true) return padded ? 0.6 : 0;
  if (padded) return sextets.length >= 10 ? 0.85 : 0.6;
  return mixed && /\d/.test(sextets) && sextets.length >= 24 ? (/[+/]/.test(sextets) ? 0.8 : 0.6) : 0;
}

/** Hexadecimal bytes: alone, with separators or prefixes, or in a dump. */
export function detectHex({ text, lines, line, size }: Sample): Guess[] {
  const dumped = shareOf(lines, (each) =>
    /^[\da-f]{6,8}:? +(?:[\da-f]{2,4} ?){1,16}|^[\da-f]{7,8}$|^\*$|^0[xX][\da-f]{4}:? +(?:[\da-f]{2,4} ?){2,}|^[\da-f]{4}[: ] {1,2}(?:[\da-f]{2} ){4,}/i.test(
      each,
    ),
  );
  if (dumped === 1 && /^\S+ +[\da-f]{2}/i.test(text) && text.startsWith("0"))
    return [
      { kind: "hex-dump", confidence: 0.95, reason: "It is a dump of bytes, as xxd and hexdump write them." },
    ];
  const list = /\{\s*((?:0x[\da-f]{2}\s*,\s*){1,4000}0x[\da-f]{2})\s*,?\s*\}/i.exec(text.slice(0, 8192));
  if (list !== null && list.index > 0) {
    const part = { index: list.index + list[0].indexOf("0"), length: (list[1] as string).length };
    const bytes = decodeHexLayout(Buffer.from(list[1] as string), "auto");
    const options = isUtf8(bytes) ? {} : binary;
    const reason = "It contains a list of bytes.";
    return [{ kind: "hex-separated", confidence: 0.88, reason, options, part, decoded: bytes }];
  }
  if (text.length < 4 || !/^[\da-fA-FxX\s:,;{}[\]()\\%-]+$/.test(text)) return [];
  const spaced =
    /^[[({\s]*(?:0x|\\x|%)?[\da-f]{2}(?:[\s:,;-]+(?:0x)?[\da-f]{2}|\\x[\da-f]{2}|%[\da-f]{2}){2,40000}[,\])};\s]*$/i.test(
      text.slice(0, 16_384),
    );
  const plain = /^(?:0x)?(?:[\da-f]{2})+$/i.test(text.replaceAll(/[\r\n]+/g, ""));
  if (!spaced && !plain) return [];
  const digits = text.replaceAll(/[{}[\]()]/g, "").slice(0, 65_536);
  let decoded: Uint8Array;
  try {
    decoded = decodeHexLayout(
      Buffer.from(digits.length % 2 === 1 && plain ? digits.slice(0, -1) : digits.trim()),
      "auto",
    );
  } catch {
    return [];
  }
  const readable = isReadable(decoded) && decoded.length >= 4;
  const known = magicOf(decoded) !== undefined && decoded.length >= 4;
  const reason = `It is ${size > 65_536 ? "many" : decoded.length} bytes in hexadecimal digits${readable ? ", and they are text" : ""}.`;
  const numeric = /^[\d\s]+$/.test(text);
  const options = isUtf8(decoded) ? {} : binary;
  const found = (confidence: number): Guess[] => [
    { kind: spaced && !plain ? "hex-separated" : "hex", confidence, reason, options, decoded },
  ];
  if (readable && !(numeric && decoded.length < 8)) return found(0.94);
  if (known) return found(0.93);
  if (spaced && !plain)
    return numeric && !/[:x\\]/.test(text) ? [] : found(/\\x|:|0x|[a-f]/i.test(text) ? 0.9 : 0.5);
  return numeric || line === "" ? (numeric ? [] : found(0.6)) : found(text.length >= 8 ? 0.8 : 0.55);
}

/** Percent-encoded text. A URL and a query have guesses of their own. */
export function detectPercent({ text, line }: Sample): Guess[] {
  const head = text.slice(0, 16_384);
  const escapes = head.match(/%[\da-fA-F]{2}/g) ?? [];
  if (escapes.length === 0 || /^[{["<]/.test(text)) return [];
  const decoded = Buffer.from(decodePercentLeniently(head));
  const broken = (head.match(/%(?![\da-fA-F]{2})/g) ?? []).length;
  const dense = escapes.length >= 2 || escapes.length * 12 > head.length;
  const isUrl = /^[a-z][a-z\d+.-]*:\/\/|^[\w.[\]-]{1,60}=/i.test(text);
  const confidence = line === "" ? 0.6 : isUrl ? 0.82 : dense && broken < escapes.length ? 0.94 : 0.7;
  return [
    { kind: "percent", confidence, reason: `It has percent-encoded bytes such as ${escapes[0]}.`, decoded },
  ];
}

/** Strings of a document that are base64 of text, such as those of a Secret of Kubernetes. */
export function detectInnerBase64({ text, line }: Sample): Guess[] {
  if (line !== "" && !/^[[{]/.test(text)) return [];
  let tries = 0;
  for (const { 1: body = "", index, 0: whole } of text
    .slice(0, 16_384)
    .matchAll(/(?::\s*|=\s*)"?([A-Za-z\d+/]{8,4000}={0,2})"?(?=[\s,}]|$)/g)) {
    if (++tries > 50) break;
    const mixed = /[a-z]/.test(body) && /[A-Z]/.test(body) && (body.endsWith("=") || /\d/.test(body));
    if (body.length % 4 !== 0 || !mixed) continue;
    const decoded = Buffer.from(body, "base64");
    if (!isReadable(decoded) || /[^\x20-\x7e\s]/.test(decoded.toString())) continue;
    const part = { index: index + whole.indexOf(body), length: body.length };
    const confidence = /^[[{]/.test(text) ? 0.91 : 0.82;
    return [
      {
        kind: "base64-inside",
        confidence,
        reason: "It contains a value that is base64 of text.",
        part,
        decoded,
      },
    ];
  }
  return [];
}
