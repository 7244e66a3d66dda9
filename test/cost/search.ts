import type { CatalogTool } from "../../src/catalog/catalog.ts";
import { type Candidate, drawCandidate, mutate, type Space, spaceOf, toCall } from "./candidate.ts";
import { type Cost, leastOf, measure } from "./measure.ts";
import { cpuTime } from "./start-cost.ts";
import { createDraw } from "./seeds.ts";

export interface SearchOptions {
  tool: CatalogTool;
  seed: number;
  /** CPU milliseconds that the search may take. */
  budget: number;
  /** Candidates of an earlier search to start from. */
  known?: readonly Candidate[];
  /** Milliseconds up to which one measurement of the worst input is enough: further ones can only be lower. */
  cheapMs?: number;
}

export interface Found extends Cost {
  candidate: Candidate;
}

/** Sizes of bodies; a candidate that is cheap at one size is not tried at the next. */
const sizes = [1024, 4096, 16_384];
const kept = 6;

/** Searches for the most expensive input of at most 64 KiB: random ones first, then variations of the worst. */
export async function search({ tool, seed, budget, known = [], cheapMs = 0 }: SearchOptions): Promise<Found> {
  const space = spaceOf(tool);
  const draw = createDraw(seed);
  const spent = createBudget(budget);
  let worst: Found[] = [];
  const keep = (found: Found): void => {
    // An error other than a refusal is a bug, at any cost.
    const rank = ({ ms, outcome }: Found): number => (isFault(outcome) ? Number.MAX_VALUE : ms);
    worst = [...worst, found].toSorted((a, b) => rank(b) - rank(a)).slice(0, kept);
  };
  for (const candidate of known) keep({ ...(await run(space, candidate)), candidate });
  while (!spent.over(0.35)) {
    const found = await grow(space, drawCandidate(space, draw), worst.at(kept - 1)?.ms ?? 0);
    if (found !== undefined) keep(found);
  }
  while (!spent.over(1) && worst.length > 0) {
    const { candidate } = draw.of(worst);
    let next = mutate(candidate, space, draw);
    while (draw.chance(0.4)) next = mutate(next, space, draw);
    const found = await grow(space, next, worst.at(kept - 1)?.ms ?? 0);
    if (found !== undefined) keep(found);
  }
  // One run may have been slow because of other programs.
  let top: Found | undefined;
  for (const { candidate, outcome, ms } of worst) {
    if (isFault(outcome)) return { ms: 0, outcome, candidate };
    // More runs can only show that it costs less.
    if (top !== undefined && ms <= top.ms) continue;
    const cost = ms <= cheapMs ? { ms, outcome } : await leastOf(tool, toCall(space, candidate), 3);
    if (top === undefined || cost.ms > top.ms) top = { ...cost, candidate };
  }
  if (top === undefined) throw new Error(`No candidate for ${tool.slug}`);
  return top;
}

export const isFault = (outcome: string): boolean => outcome.startsWith("internal");

/**
 * Returns the size at which a candidate costs most; a larger one may leave the event loop. Undefined if smaller sizes show that
 * it cannot be among the worst.
 */
async function grow(space: Space, candidate: Candidate, bar: number): Promise<Found | undefined> {
  let most: Found | undefined;
  for (const size of [...sizes.filter((one) => one < candidate.bytes), candidate.bytes]) {
    const sized = { ...candidate, bytes: size };
    const cost = await run(space, sized);
    if (most === undefined || cost.ms > most.ms) most = { ...cost, candidate: sized };
    // It takes seconds already: larger ones would use up the budget.
    if (isFault(cost.outcome) || cost.ms > 300) return { ...cost, candidate: sized };
    if (size > 1024 && cost.ms * (candidate.bytes / size) ** 2 < bar * 0.5) return most;
  }
  return most;
}

const run = (space: Space, candidate: Candidate): Promise<Cost> =>
  measure(space.tool, toCall(space, candidate));

function createBudget(budget: number): { over(share: number): boolean } {
  const start = cpuTime();
  return { over: (share) => cpuTime() - start > budget * share };
}
