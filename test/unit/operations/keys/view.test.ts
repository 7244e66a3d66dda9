import { describe, expect, test } from "vitest";
import { toKeyView, warningsOf } from "../../../../src/operations/keys/view.ts";
import { day, start } from "../../services/setup.ts";
import { key } from "../../../support/records.ts";

const at = (days: number): string => new Date(start + days * day).toISOString();
const record = (changes: Parameters<typeof key>[1]) => key("0123456789abcdef0123", changes);
const used = (days?: number) => new Map(days === undefined ? [] : [[record({}).id, start + days * day]]);

describe("warnings about a key", () => {
  test.each([
    ["expires later", { expiresAt: at(15) }, []],
    ["expires in 14 days", { expiresAt: at(14) }, ["expires_soon"]],
    ["never expires", {}, ["never_expires"]],
    ["expired", { expiresAt: at(-1) }, []],
    ["revoked", { revokedAt: at(-1) }, []],
    ["was replaced, and ends tomorrow", { expiresAt: at(1), rotatedTo: "key_fedcba9876543210fedc" }, []],
  ] as const)("that %s", (_, changes, expected) => {
    const uses = { since: start - 200 * day, last: used(-1) };
    expect(warningsOf(record({ createdAt: at(-300), ...changes }), uses, start)).toEqual(expected);
  });

  test.each([
    ["last used 90 days ago", -300, -90, -200, ["unused"]],
    ["last used 89 days ago", -300, -89, -200, []],
    ["never used since it was issued 90 days ago", -90, undefined, -200, ["unused"]],
    ["issued 89 days ago", -89, undefined, -200, []],
    ["never used, but uses are recorded for 89 days only", -300, undefined, -89, []],
    ["never used, and no use of any key was recorded", -300, undefined, undefined, []],
  ] as const)("that was %s", (_, createdAt, last, since, expected) => {
    const uses = { ...(since !== undefined && { since: start + since * day }), last: used(last) };
    const found = warningsOf(record({ createdAt: at(createdAt), expiresAt: at(30) }), uses, start);
    expect(found).toEqual(expected);
  });

  test("a view has no hash, and null where no use is known", () => {
    const view = toKeyView(record({}), { last: new Map() }, start);
    expect(view).not.toHaveProperty("hash");
    expect(view).not.toHaveProperty("v");
    expect(view).toMatchObject({ lastUsedAt: null, state: "live", warnings: ["never_expires"] });
    expect(toKeyView(record({}), { last: used(-2) }, start).lastUsedAt).toBe(at(-2));
  });
});
