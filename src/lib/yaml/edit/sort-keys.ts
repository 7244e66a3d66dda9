import type { CST } from "yaml";
import { compareCodePoints } from "../../json/code-point-order.ts";
import type { YamlLibrary } from "../parse.ts";
import { blockUnits } from "./block-units.ts";
import { flowUnits } from "./flow-units.ts";
import { isFlow } from "./columns.ts";
import type { Level, YamlSource } from "./source.ts";

/** The parts of one map in a new order: ranges of the source, in UTF-16 code units, and text between them. */
export type Part = string | { readonly from: number; readonly to: number };

/** A map that is replaced from `from` to before `to`. */
interface Plan {
  readonly from: number;
  readonly to: number;
  readonly parts: readonly Part[];
}

/**
 * Returns the text with the keys of every map in the order of their code points. The comments above a key, behind its value and
 * deeper than it move with it; comments at the end of a map stay there.
 */
export function sortKeys(yaml: YamlLibrary, source: YamlSource): string {
  const plans: Plan[] = [];
  const seen = new Set<Level>();
  for (const piece of source.pieces) {
    // The outermost of the levels that begin with one piece comes first.
    const begun: Level[] = [];
    for (
      let level: Level | undefined = piece.level;
      level !== undefined && !seen.has(level);
      level = level.parent
    ) {
      seen.add(level);
      begun.unshift(level);
    }
    for (const level of begun) {
      const plan = toPlan(yaml, source, level);
      if (plan !== undefined) plans.push(plan);
    }
  }
  return plans.length === 0 ? source.text : render(source.text, plans);
}

function toPlan(yaml: YamlLibrary, source: YamlSource, level: Level): Plan | undefined {
  if (level.kind !== "map" && level.kind !== "flow-map") return undefined;
  const names = level.entries.map(({ key }) => toName(yaml, key));
  const order = [...names.keys()].toSorted((a, b) => compareCodePoints(names[a] ?? "", names[b] ?? ""));
  if (order.every((from, to) => from === to)) return undefined;
  return isFlow(level) ? flowUnits(source, level, order) : blockUnits(source, level, order);
}

const toName = (yaml: YamlLibrary, key: CST.Token | null | undefined): string =>
  key !== null && key !== undefined && yaml.CST.isScalar(key)
    ? yaml.CST.resolveAsScalar(key).value
    : "\u{10ffff}";

/** Plans are in the order of their starts, an outer one before those in it. */
function render(text: string, plans: readonly Plan[]): string {
  const parts: string[] = [];
  /** The parts that remain, the next one last; `plan` is the first that can apply. */
  const open: { part: Part; plan: number }[] = [{ part: { from: 0, to: text.length }, plan: 0 }];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { part } = next;
    if (typeof part === "string") {
      parts.push(part);
      continue;
    }
    const at = firstFrom(plans, part.from, next.plan);
    const plan = plans[at];
    if (plan === undefined || plan.from >= part.to) {
      parts.push(text.slice(part.from, part.to));
      continue;
    }
    parts.push(text.slice(part.from, plan.from));
    open.push({ part: { from: plan.to, to: part.to }, plan: at + 1 });
    for (const one of plan.parts.toReversed()) open.push({ part: one, plan: at + 1 });
  }
  return parts.join("");
}

/** Returns the index of the first plan, from `low` on, that begins at or behind a place. */
function firstFrom(plans: readonly Plan[], from: number, low: number): number {
  let high = plans.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((plans[middle] as Plan).from < from) low = middle + 1;
    else high = middle;
  }
  return low;
}
