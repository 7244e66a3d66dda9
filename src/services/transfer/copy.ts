import { ToolError } from "../../catalog/errors.ts";
import { StoreError } from "../../storage/errors.ts";
import { compare, type Finding } from "./compare.ts";
import { type Kind, type KindName, kindNames, kinds } from "./kinds.ts";
import type { Change, Part, Parts, Source } from "./parts.ts";

/** The result for one kind. */
export interface CopyCount {
  kind: KindName;
  /** Number in the source. */
  total: number;
  /** Number written in this run. */
  written: number;
  /** Number removed from the target that the source does not have. */
  removed: number;
  /** Number left in the target that the source does not have. */
  kept: number;
  /** Number not copied, because the target has a different continuation that is never removed. */
  skipped: number;
}

export interface CopyReport {
  items: CopyCount[];
  /** Sentences about unreadable records of the source. */
  damaged: string[];
  /** Whether a final comparison after the last write found no difference that is not reported. */
  verified: boolean;
}

/** The source: a store or a backup. */
export type Sources = { readonly [Name in KindName]: Source };

export interface CopyOptions {
  from: Sources;
  to: Parts;
  /** Overwrites records of the target that differ from the source. */
  force: boolean;
}

interface Tally extends Record<Finding<unknown>["state"], number> {
  /** The first ids that prevent a copy. */
  against: string[];
}

/** The state of one kind during a copy. */
interface Lane {
  from: Source;
  to: Part;
  same: Kind<unknown>["same"];
}

const writesAtOnce = 64;
/** Most comparisons of one kind: the source may change while it is read. */
const rounds = 4;

/**
 * Makes the target like the source: checks everything before the first write, writes what is missing, and compares
 * until nothing is left to do, which proves the result. A second run after a crash therefore continues where the first
 * ended.
 * @throws ToolError invalid_input if the target has something else; StoreError and ToolError of the stores.
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

  /** The types of one kind match, which the compiler cannot derive from its name. */
  function laneOf(kind: KindName): Lane {
    return { from: from[kind], to: to[kind], same: kinds[kind].same } as unknown as Lane;
  }
}

/** Repeats until a complete comparison finds nothing to write. Returns sentences about damaged records. */
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
      // Nothing can follow a line that differs.
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
    `The source keeps changing while it is copied (${count.kind}). Stop the servers that use it and run this again: it continues where it stopped.`,
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
      ...(extra > 0 && kind !== "audit" ? [`${extra} that the source lacks`] : []),
    ];
    return [
      `${kind}: ${others.join(", ")} (${against.join(", ")}${different + extra > against.length ? ", …" : ""})`,
    ];
  });
  if (words.length === 0) return;
  throw new ToolError(
    "invalid_input",
    `The target is not empty and differs from the source: ${words.join("; ")}. Nothing was written. Choose an empty target, or overwrite it with --force, which deletes what only the target has.`,
  );
}
