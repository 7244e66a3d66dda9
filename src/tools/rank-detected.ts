import { detect, type Detection } from "../lib/detect/detect.ts";
import type { Guess } from "../lib/detect/guess.ts";
import { type Kind, kinds } from "../lib/detect/kinds.ts";
import type { ToolContext } from "../catalog/tool.ts";
import { placesOf } from "../lib/places.ts";
import { createAttempt } from "./attempt-detected.ts";
import { requiredFields, toolsOfKinds, type Use } from "./detected-tools.ts";

/** A tool that fits an input. The names of these members are part of the answer and do not change. */
export interface RankedTool {
  /** The slug of the tool that reads the input or, after a decoder, what is encoded in it. */
  tool: string;
  /** An identifier of what that tool reads. */
  kind: Kind;
  /** The name of the kind, for people. */
  description: string;
  /** A sentence that says why. */
  reason: string;
  /** From 0 to 1. */
  confidence: number;
  /** The field of the first step that takes the input; null if the tool makes such inputs. */
  field: string | null;
  /** Further fields that the last step requires, which an input cannot give. */
  needs: string[];
  /** The calls in order, as the steps of a pipeline. */
  steps: { tool: string; with: Readonly<Record<string, unknown>> }[];
  /** The part of the input to use, if it is not all of it: a token in a command, for example. */
  part: { line: number; column: number; offset: number; length: number } | null;
}

/** The factors by which the place in the list of a kind lowers the confidence. */
const discounts = [1, 0.93, 0.87, 0.82];

/** Most decoders of one input whose results are looked at: each is another detection. */
const maxDecoded = 3;

/** Guesses about what is decoded count from here on: below it, every text is something. */
const leastInner = 0.7;

/**
 * Returns the tools that fit the input, the most confident first, at most `limit`.
 * @param call Runs a tool: one that refuses the input is left out. Without it nothing is run.
 */
export async function rankTools(
  input: Uint8Array,
  limit: number,
  call?: ToolContext["call"],
): Promise<RankedTool[]> {
  const detection = await detect(input);
  const ranked: RankedTool[] = [];
  let decoded = 0;
  for (const guess of detection.guesses) {
    for (const [order, use] of toolsOfKinds[guess.kind].entries())
      ranked.push(toEntry(detection, guess, use, order));
    if (guess.decoded === undefined || guess.confidence < 0.5 || decoded === maxDecoded) continue;
    decoded++;
    ranked.push(...(await rankInner(detection, guess, guess.decoded)));
  }
  const attempt = createAttempt(input, call);
  const offered = new Map<string, RankedTool>();
  const entries = ranked.map((entry) => ({ ...entry, confidence: rounded(entry.confidence) }));
  for (const entry of entries.toSorted((a, b) => b.confidence - a.confidence)) {
    if (offered.size === limit) break;
    const path = entry.steps.map(({ tool }) => tool).join(" ");
    if (offered.has(path)) continue;
    const steps = await attempt(entry);
    if (steps !== undefined) offered.set(path, { ...entry, steps });
  }
  return [...offered.values()];
}

const rounded = (confidence: number): number => Math.round(confidence * 1000) / 1000;

function toEntry({ sample }: Detection, guess: Guess, use: Use, order: number): RankedTool {
  const { tool, field } = use;
  const { kind, reason, confidence, part } = guess;
  const options = order === 0 ? { ...use.with, ...guess.options } : use.with;
  const given = new Set([field ?? "data", ...Object.keys(options)]);
  const [place] = part === undefined ? [] : placesOf(sample.raw, [{ index: sample.start + part.index }]);
  return {
    tool,
    kind,
    description: kinds[kind],
    reason,
    confidence: confidence * (discounts[order] ?? 0.8),
    field,
    needs: ["data", ...(requiredFields[tool] ?? []), ...(use.needs ?? [])].filter((name) => !given.has(name)),
    steps: [...(use.after ?? []), { tool, with: options }],
    part:
      part === undefined || place === undefined
        ? null
        : {
            line: place.line,
            column: place.column,
            offset: place.offset,
            length: Buffer.byteLength(sample.text.slice(part.index, part.index + part.length)),
          },
  };
}

/** The tools for what a decoder returns, after that decoder. */
async function rankInner(detection: Detection, guess: Guess, decoded: Uint8Array): Promise<RankedTool[]> {
  const decoder = toolsOfKinds[guess.kind][0];
  if (decoder === undefined) return [];
  const alone = toEntry(detection, guess, decoder, 0);
  // The next step reads bytes.
  const steps = alone.steps.map(({ tool, with: options }) => ({
    tool,
    with: Object.fromEntries(Object.entries(options).filter(([name]) => name !== "outputEncoding")),
  }));
  const first = { ...alone, steps };
  const inner = await detect(decoded, guess.decodedSize ?? decoded.length);
  const entries: RankedTool[] = [];
  for (const each of inner.guesses.filter(({ confidence }) => confidence >= leastInner)) {
    for (const [order, use] of toolsOfKinds[each.kind].entries()) {
      // A pipeline passes the result of a step to the next one as its document.
      if (use.field !== "data" || use.after !== undefined) continue;
      const second = toEntry(inner, each, use, order);
      entries.push({
        ...second,
        reason: `${first.reason} ${each.reason}`,
        confidence: first.confidence * second.confidence * 0.95,
        field: first.field,
        steps: [...first.steps, ...second.steps],
        part: first.part,
      });
    }
  }
  return entries;
}
