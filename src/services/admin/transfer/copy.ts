import { ToolError } from "../../../catalog/errors.ts";
import { StoreError } from "../../storage/errors.ts";
import { compare, type Finding } from "./compare.ts";
import { type Kind, type KindName, kindNames, kinds } from "./kinds.ts";
import type { Change, Part, Parts, Source } from "./parts.ts";

/** What became of one kind. */
export interface CopyCount {
  kind: KindName;
  /** In the source. */
  total: number;
  /** Written in this run. */
  written: number;
  /** Of the target's own, taken away. */
  removed: number;
  /** Of the target's own, left as it was. */
  kept: number;
  /** Not copied, because the target goes on otherwise and this is never taken away. */
  skipped: number;
}

export interface CopyReport {
  items: CopyCount[];
  /** Sentences for what the source has and nobody can read. */
  damaged: string[];
  /** Everything was compared once more after the last write, and nothing was found that differs and is not told of. */
  verified: boolean;
}

/** What is copied from: a store or a backup. */
export type Sources = { readonly [Name in KindName]: Source };

export interface CopyOptions {
  from: Sources;
  to: Parts;
  /** Makes the target like the source where it has something else. */
  force: boolean;
}

interface Tally extends Record<Finding<unknown>["state"], number> {
  /** The first ids that stand against a copy. */
  against: string[];
}

/** One kind on its way. */
interface Lane {
  from: Source;
  to: Part;
  same: Kind<unknown>["same"];
}

const writesAtOnce = 64;
/** A source that is in use may change while it is read. */
const rounds = 4;

/**
 * Makes the target like the source: looks at all of it before anything is written, writes what is not there yet, and
 * goes over it until nothing is left to do, which is the proof. So a second run after a crash goes on where the first ended.
 * @throws ToolError invalid_input where the target has something else; StoreError and ToolError of the stores.
 */
export async function copyStore({ from, to, force }: CopyOptions): Promise<CopyReport> {
  const report: CopyReport = { items: [], damaged: [], verified: false };
  const plan = new Map<KindName, Tally>();
  for (const kind of kindNames) plan.set(kind, await look(laneOf(kind)));
  if (!force) refuseOther(plan);

  for (const kind of kindNames) {
    const count = { kind, total: 0, written: 0, removed: 0, kept: 0, skipped: 0 };
    report.items.push(count);
    report.damaged.push(...(await copyKind(laneOf(kind), count)));
  }
  report.verified = true;
  return report;

  /** The types of one kind fit together, which the compiler cannot see from its name. */
  function laneOf(kind: KindName): Lane {
    return { from: from[kind], to: to[kind], same: kinds[kind].same } as unknown as Lane;
  }
}

/** Until a whole comparison finds nothing to write. Returns the sentences of what is damaged. */
async function copyKind({ from, to, same }: Lane, count: CopyCount): Promise<string[]> {
  for (let round = 0; round < rounds; round++) {
    const damaged: string[] = [];
    let changes: Change<unknown>[] = [];
    let changed = 0;
    Object.assign(count, { total: 0, kept: 0, skipped: 0 });
    for await (const finding of compare(from, to, same)) {
      if (finding.state === "extra") {
        if (to.remove === undefined || to.conflicts !== "force") count.kept += 1;
        else {
          await to.remove(finding.id);
          count.removed += 1;
          changed += 1;
        }
        continue;
      }
      count.total += 1;
      if (finding.state === "damaged") damaged.push(finding.reason);
      // Nothing follows a line that is another.
      else if (to.conflicts === "keep" && (finding.state === "different" || count.skipped > 0))
        count.skipped += 1;
      else if (finding.state !== "same") changes.push(finding);
      if (changes.length < writesAtOnce) continue;
      changed += await write(to, changes, count);
      changes = [];
    }
    changed += await write(to, changes, count);
    if (changed === 0) return damaged;
  }
  throw new StoreError(
    "write",
    `The source goes on changing while it is copied (${count.kind}). Stop the servers that use it, and run this again: it goes on where it is.`,
  );
}

async function write(to: Part, changes: readonly Change<unknown>[], count: CopyCount): Promise<number> {
  if (changes.length > 0) await to.write(changes);
  count.written += changes.length;
  return changes.length;
}

async function look({ from, to, same }: Lane): Promise<Tally> {
  const tally: Tally = { damaged: 0, same: 0, missing: 0, different: 0, extra: 0, against: [] };
  for await (const { state, id } of compare(from, to, same)) {
    tally[state] += 1;
    const against = state === "different" || (state === "extra" && to.conflicts === "force");
    if (against && to.conflicts !== "overwrite" && tally.against.length < 3) tally.against.push(id);
  }
  return tally;
}

function refuseOther(plan: ReadonlyMap<KindName, Tally>): void {
  const words = [...plan].flatMap(([kind, { against, different, extra }]) => {
    if (against.length === 0) return [];
    const others = [
      ...(different > 0 ? [`${different} that differ`] : []),
      ...(extra > 0 && kind !== "audit" ? [`${extra} of its own`] : []),
    ];
    return [
      `${kind}: ${others.join(", ")} (${against.join(", ")}${different + extra > against.length ? ", …" : ""})`,
    ];
  });
  if (words.length === 0) return;
  throw new ToolError(
    "invalid_input",
    `The target is not empty, and has something else than the source: ${words.join("; ")}. Nothing was written. Choose an empty target, or make it like the source with --force: what it has of its own is then lost.`,
  );
}
