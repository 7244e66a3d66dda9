import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, test } from "vitest";
import { penknife, shareWorkers } from "../cli/host.ts";
import { atHand } from "../../unit/corpora/corpus.ts";
import { type Answer, faultOf, readReports, type Report } from "../../unit/corpora/reports.ts";
import { knownReports } from "./reports-known.ts";

const program = shareWorkers();
const folder = mkdtempSync(join(tmpdir(), "penknife-reports-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** `penknife run TOOL ARGS < input`, in a folder of its own if the case has files. */
async function call({ id, tool, args, input, files }: Report): Promise<Answer> {
  const cwd = files === undefined ? folder : join(folder, encodeURIComponent(id));
  mkdirSync(cwd, { recursive: true });
  for (const [name, text] of Object.entries(files ?? {})) writeFileSync(join(cwd, name), text);
  const stdin = Array.isArray(input) ? input.join("") : input;
  return penknife(["run", tool, ...args], { stdin, cwd, program });
}

/** The share of the cases of each class that holds, one class a line. */
function describeClasses(reports: readonly Report[], failing: ReadonlyMap<string, string>): string {
  const classes = Map.groupBy(reports, (report) => report.class);
  const lines = [...classes].map(([name, rows]) => {
    const held = rows.filter(({ id }) => !failing.has(id)).length;
    return `  ${name}: ${held} of ${rows.length}`;
  });
  return [`reports: ${reports.length - failing.size} of ${reports.length}`, ...lines.toSorted()].join("\n");
}

describe("reported calls", () => {
  test("a case that holds in part does not hold", () => {
    const answer = { status: 0, stdout: '{"valid":true,"items":[{"a":1,"b":2},3]}\n', stderr: "note\n" };
    const fault = (expected: Report["expect"]): string | undefined =>
      faultOf({ expect: expected } as Report, answer);
    expect(fault({ rc: 0, valid: true, contains: ["note", '"a"'], notContains: ["c"] })).toBeUndefined();
    expect(fault({ jsonSubset: { items: [3, { b: 2 }] } })).toBeUndefined();
    expect(fault([{ rc: 1 }, { containsAny: ["x", "note"] }])).toBeUndefined();
    expect(fault({ stdout: answer.stdout.trim() })).toBeUndefined();
    expect(fault({ rc: 0, valid: false })).toBe("valid is not false");
    expect(fault({ contains: ["x"], notContains: ["note"] })).toBe('lacks "x"; contains "note"');
    expect(fault({ jsonSubset: { items: [{ b: 3 }] } })).toMatch("does not hold");
    expect(fault({ stdout: "{}" })).toMatch("not the output");
    expect(fault([{ rc: 1 }, { containsAny: ["x"] }])).toMatch(" | or ");
  });

  test.skipIf(!atHand)(
    "get the answer that their case wants (578 cases of reports)",
    async () => {
      const reports = readReports();
      expect(reports.length).toBe(578);
      const failing = new Map<string, string>();
      for (const report of reports) {
        const answer = await call(report);
        const fault = faultOf(report, answer);
        if (fault !== undefined)
          failing.set(report.id, `${fault} in ${answer.stdout}${answer.stderr}`.slice(0, 600));
      }
      process.stdout.write(`${describeClasses(reports, failing)}\n`);
      const known = new Set(
        Object.values(knownReports)
          .flat()
          .flatMap(({ ids }) => ids),
      );
      expect({
        unexpected: [...failing].filter(([id]) => !known.has(id)),
        stale: [...known].filter((id) => !failing.has(id)),
      }).toEqual({ unexpected: [], stale: [] });
    },
    240_000,
  );
});
