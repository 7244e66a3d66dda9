import { DocumentFault } from "../fault.ts";
import { detectBase64, detectHex, detectInnerBase64, detectPercent } from "./encoded.ts";
import {
  detectDiff,
  detectDockerfile,
  detectGraphql,
  detectSource,
  detectSql,
  detectTemplate,
} from "./code.ts";
import { detectEntities, detectMarkup } from "./markup.ts";
import { detectEscapes } from "./escapes.ts";
import { detectJson } from "./json.ts";
import { detectCaption, detectCase, detectCommit, detectIdentifier, detectVersion } from "./names.ts";
import { detectNetwork } from "./network.ts";
import { detectNumber } from "./numbers.ts";
import { detectJsonPath, detectPaths, detectRegex } from "./patterns.ts";
import {
  detectAnsi,
  detectCharacters,
  detectLog,
  detectPersonal,
  detectPlain,
  detectSecrets,
} from "./text.ts";
import { detectAssignments, detectGron } from "./structured.ts";
import { detectTable } from "./table.ts";
import { detectCron } from "./schedules.ts";
import { detectTime } from "./times.ts";
import { detectDigest, detectJwt, detectPem, detectSsh } from "./tokens.ts";
import { detectHeaders, detectQuery, detectSigned, detectUrl } from "./web.ts";
import { detectYaml } from "./yaml.ts";
import { type Detector, type Guess, accepts } from "./guess.ts";
import { type Sample, toSample, hasBinaryControls } from "./sample.ts";
import { magicOf } from "./magic.ts";
import { decodeXml } from "../xml/decode.ts";
import { isCertificate } from "../x509/shape.ts";
import { validateXml } from "../xml/validate.ts";

const detectors: readonly Detector[] = [
  detectBinary,
  detectJson,
  detectYaml,
  detectAssignments,
  detectGron,
  detectTable,
  detectMarkup,
  detectEntities,
  detectSql,
  detectGraphql,
  detectDiff,
  detectDockerfile,
  detectTemplate,
  detectSource,
  detectRegex,
  detectJsonPath,
  detectPaths,
  detectJwt,
  detectPem,
  detectSsh,
  detectDigest,
  detectBase64,
  detectHex,
  detectPercent,
  detectEscapes,
  detectInnerBase64,
  detectUrl,
  detectQuery,
  detectHeaders,
  detectSigned,
  detectNetwork,
  detectNumber,
  detectTime,
  detectCron,
  detectVersion,
  detectIdentifier,
  detectCase,
  detectCaption,
  detectCommit,
  detectAnsi,
  detectLog,
  detectSecrets,
  detectPersonal,
  detectCharacters,
  detectPlain,
];

export interface Detection {
  readonly sample: Sample;
  /** The most confident first. */
  readonly guesses: readonly Guess[];
}

/**
 * Returns what an input may be. Reads at most its first mebibyte, and parses less where parsers are slow.
 * @param size Bytes of the input, if `input` is only its beginning.
 */
export async function detect(input: Uint8Array, size: number = input.length): Promise<Detection> {
  const sample = toSample(input, size);
  const guesses: Guess[] = [];
  if (sample.isText && sample.text === "") return { sample, guesses };
  for (const detector of detectors) guesses.push(...(await guessWith(detector, sample)));
  return { sample, guesses: guesses.toSorted((a, b) => b.confidence - a.confidence) };
}

/** A parser that refuses a sample says that it is something else, also where its detector did not expect that. */
async function guessWith(detector: Detector, sample: Sample): Promise<readonly Guess[]> {
  try {
    return await detector(sample);
  } catch (error) {
    if (error instanceof DocumentFault || error instanceof RangeError) return [];
    throw error;
  }
}

/** Bytes that are not text in UTF-8. */
function detectBinary({ bytes, size, isText }: Sample): Guess[] {
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
