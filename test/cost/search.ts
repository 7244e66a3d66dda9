import type { CatalogTool } from "../../src/catalog/catalog.ts";
import { type Candidate, drawCandidate, mutate, type Space, spaceOf, toCall } from "./candidate.ts";
import { type Cost, cpuTime, inlineBytes, leastOf, measure } from "./measure.ts";
import { createDraw } from "./seeds.ts";

export interface SearchOptions {
  tool: CatalogTool;
  seed: number;
  /** CPU milliseconds that the search may take. */
  budget: number;
  /** Candidates to begin with, of an earlier search. */
  known?: readonly Candidate[];
}

export interface Found extends Cost {
  candidate: Candidate;
}

/** Bodies grow by these steps: what costs little at one size is not tried at the next. */
const sizes = [1024, 4096, 16_384, inlineBytes];
const kept = 6;

/** Looks for the input of at most 64 KiB that costs a tool most: random ones first, then what lies near the worst so far. */
export async function search({ tool, seed, budget, known = [] }: SearchOptions): Promise<Found> {
  const space = spaceOf(tool);
  const draw = createDraw(seed);
  const spent = createBudget(budget);
  let worst: Found[] = [];
  const keep = (found: Found): void => {
    worst = [...worst, found].toSorted((a, b) => b.ms - a.ms).slice(0, kept);
  };
  for (const candidate of known) keep({ ...(await run(space, candidate, inlineBytes)), candidate });
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
  // One run may have been slow for another reason.
  let top: Found | undefined;
  for (const { candidate } of worst) {
    const cost = await leastOf(tool, toCall(space, candidate, inlineBytes), 3);
    if (top === undefined || cost.ms > top.ms) top = { ...cost, candidate };
  }
  if (top === undefined) throw new Error(`No candidate for ${tool.slug}`);
  return top;
}

/** The cost at the largest size, or undefined where a smaller one shows that it cannot be among the worst. */
async function grow(space: Space, candidate: Candidate, bar: number): Promise<Found | undefined> {
  for (const size of sizes) {
    const cost = await run(space, candidate, size);
    if (size === inlineBytes) return { ...cost, candidate };
    // Seconds already: larger ones only take the time of others.
    if (cost.ms > 300) return { ...cost, candidate };
    const factor = inlineBytes / size;
    if (cost.ms * factor ** 2 < bar * 0.5 && size > 1024) return undefined;
  }
  return undefined;
}

const run = (space: Space, candidate: Candidate, size: number): Promise<Cost> =>
  measure(space.tool, toCall(space, candidate, size));

function createBudget(budget: number): { over(share: number): boolean } {
  const start = cpuTime();
  return { over: (share) => cpuTime() - start > budget * share };
}
