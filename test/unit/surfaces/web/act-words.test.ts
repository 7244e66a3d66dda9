import { describe, expect, it } from "vitest";
import { loadOperations } from "../../../../src/operations/index.ts";
import { toLines, toWords } from "../../../../src/surfaces/web/page/operator/act-words.ts";

describe("the audit trail as people read it", () => {
  it("has words for every act", async () => {
    const acts = (await loadOperations()).filter(({ kind }) => kind !== "reads").map(({ name }) => name);
    expect(acts.length).toBeGreaterThan(20);
    expect(acts.filter((act) => toWords(act) === act)).toEqual([]);
  });

  it.each(["keys.melt", "constructor", "__proto__"])("keeps the name of the unknown act %s", (act) => {
    expect(toWords(act)).toBe(act);
  });

  it("shows changes as lines", () => {
    expect(
      toLines({
        limit: { before: 1000, after: 20_000 },
        name: { before: null, after: "ci" },
        disabled: { before: false, after: true },
        reason: "left in a log",
        events: ["key.issued", "key.revoked"],
        expiresAt: null,
      }),
    ).toEqual([
      `limit: ${(1000).toLocaleString()} → ${(20_000).toLocaleString()}`,
      "name: ci",
      "disabled: false → true",
      "reason: left in a log",
      "events: key.issued, key.revoked",
      "expiresAt: none",
    ]);
    expect([toLines(null), toLines("x"), toLines({})]).toEqual([[], [], []]);
  });
});
