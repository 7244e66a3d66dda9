import { DocumentFault } from "../fault.ts";
import { detectBase64, detectHex, detectInnerBase64, detectPercent } from "./encoded.ts";
import { detectBinary } from "./binary.ts";
import { detectDiff, detectGraphql, detectSource, detectSql, detectTemplate } from "./code.ts";
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
import { detectAssignments } from "./structured.ts";
import { detectTable } from "./table.ts";
import { detectCron } from "./schedules.ts";
import { detectTime } from "./times.ts";
import { detectDigest, detectJwt, detectPem, detectSsh } from "./tokens.ts";
import { detectHeaders, detectQuery, detectSigned, detectUrl } from "./web.ts";
import { detectYaml } from "./yaml.ts";
import type { Detector, Guess } from "./guess.ts";
import { type Sample, toSample } from "./sample.ts";

const detectors: readonly Detector[] = [
  detectBinary,
  detectJson,
  detectYaml,
  detectAssignments,
  detectTable,
  detectMarkup,
  detectEntities,
  detectSql,
  detectGraphql,
  detectDiff,
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
