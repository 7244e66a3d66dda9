import type { Found } from "../../../../catalog/search.ts";
import type { ListedTool } from "../../../../catalog/description.ts";
import { type Input, isEmpty } from "../editor/input.ts";

/** A tool that fits an input, as input-detector reports it. */
export interface Offer {
  tool: string;
  description: string;
  reason: string;
  /** 0 to 1. */
  confidence: number;
  /** The field that takes the input; null for a tool that makes such inputs. */
  field: string | null;
  /** The tools to run, in order; the last is `tool`. */
  steps: readonly { tool: string; with: Readonly<Record<string, unknown>> }[];
  /** The part of the input that fits; null for all of it. Offset and length are bytes. */
  part: { offset: number; length: number } | null;
}

/** A tool that the page offers, and why. */
export interface Suggestion {
  slug: string;
  reason: string;
  /** Absent for a tool that was found by its name. */
  offer?: Offer;
}

/** The tools that fit an input; `best` is shown with its result. */
export interface Suggestions {
  /** The kind of the input, such as "JSON Web Token"; empty if it is only text. */
  description: string;
  best: Suggestion | undefined;
  others: readonly Suggestion[];
}

const maxOthers = 4;
const maxNames = 6;
/** Longest text that may be words for a search. */
const maxSearch = 60;

/** Below it, an offer is a guess. */
const minConfidence = 0.55;

/** Kinds that detection reports for any text, so that they say nothing about this one. */
const vague: ReadonlySet<string> = new Set([
  "text",
  "text to encode",
  "text to quote",
  "prose",
  "name or title",
]);

/** Whether a reason is true of any text. */
export const isVague = ({ offer }: Suggestion): boolean =>
  offer !== undefined && vague.has(offer.description);

/** Whether an input may be the name of a tool: a few words, with the signs of names such as C++, .env or sha-256. */
export const mayBeName = (input: Input): boolean =>
  input.kind === "text" &&
  input.text.trim().length <= maxSearch &&
  /^[\p{L}.][\p{L}\p{N}.+#/_-]*(?: [\p{L}\p{N}.+#/_-]+)*$/u.test(input.text.trim());

/**
 * Arranges what was detected and what was found by name. What the input is decides; words are a name only if they are nothing
 * else, or the whole name of a tool.
 */
export function arrange(
  input: Input,
  offers: readonly Offer[],
  found: readonly Found<ListedTool>[],
): Suggestions {
  const sure = offers.filter(
    ({ description, confidence }) => !vague.has(description) && confidence >= minConfidence,
  );
  const named = mayBeName(input) ? found : [];
  const isWhole = named.some(({ isName }) => isName);
  if (isEmpty(input)) return { description: "", best: undefined, others: [] };
  if (named.length > 0 && (sure.length === 0 || isWhole)) {
    const others = unique([...named.map(toNamed), ...sure.map(toOffered)]);
    return { description: "", best: undefined, others: others.slice(0, maxNames) };
  }
  const fitting = unique([...sure, ...offers].map(toOffered));
  if (sure.length === 0) return { description: "", best: undefined, others: fitting.slice(0, maxOthers) };
  const [best, ...others] = fitting;
  return { description: sure[0]?.description ?? "", best, others: others.slice(0, maxOthers) };
}

const toOffered = (offer: Offer): Suggestion => ({ slug: offer.tool, reason: offer.reason, offer });

const toNamed = ({ tool: { slug, summary }, isNear }: Found<ListedTool>): Suggestion => ({
  slug,
  reason: isNear ? `No tool is called so; this is one of the nearest. ${summary}` : summary,
});

const unique = (all: readonly Suggestion[]): Suggestion[] =>
  all.filter((one, index) => all.findIndex(({ slug }) => slug === one.slug) === index);
