import { expect, test } from "vitest";
import { labelForm } from "../../../src/catalog/label.ts";
import { inboxInputSchema } from "../../../src/services/inbox/input.ts";
import { issueKey } from "../../../src/operations/keys/issue.ts";
import { revokeAllKeys } from "../../../src/operations/keys/revoke-all.ts";
import { revokeKey } from "../../../src/operations/keys/revoke.ts";
import { addEndpoint } from "../../../src/operations/webhooks/add.ts";
import { toPerson } from "../../../src/storage/person.ts";

const hostile = [
  "\u001b[2J",
  "\u009b2J",
  "a\nb",
  "a\rb",
  "a\tb",
  "a\u0000b",
  "a\u0085b",
  "a\u2028b",
  "a\u2029b",
  "a\u061cb",
  "a\u200eb",
  "a\u200fb",
  "a\u202eb",
  "a\u2066b",
  "a\ud800b",
];
const usual = ["", "gitlab", "Zoë's key (CI) #1", "שלום", "👩‍⚕️", "日本語"];

test.each(hostile)("%j is no label, whatever has a label", (name) => {
  expect(labelForm.test(name)).toBe(false);
  const faults = [
    issueKey.input.safeParse({ account: "a", name }),
    revokeKey.input.safeParse({ id: "key_0", reason: name }),
    revokeAllKeys.input.safeParse({ account: "a", reason: name }),
    addEndpoint.input.safeParse({ account: "a", url: "https://a.example/", description: name }),
    inboxInputSchema.safeParse({ name }),
  ];
  expect(faults.map(({ success }) => success)).toEqual([false, false, false, false, false]);
  expect(toPerson("proxy", "alice", name)).toEqual({ issuer: "proxy", subject: "alice" });
});

test.each(usual)("%j is a label", (name) => {
  expect(labelForm.test(name)).toBe(true);
  expect(issueKey.input.safeParse({ account: "a", name }).success).toBe(true);
});
