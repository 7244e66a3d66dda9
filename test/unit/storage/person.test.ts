import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Person } from "../../../src/catalog/principal.ts";
import { genesis, toAuditLine } from "../../../src/storage/audit/line.ts";
import {
  isPerson,
  isSamePerson,
  parsePersonActor,
  toPerson,
  toPersonActor,
} from "../../../src/storage/person.ts";
import { anyCharacter } from "../../support/any-character.ts";

const people = fc
  .record({
    issuer: fc.oneof(fc.constant("proxy"), fc.webUrl({ withQueryParameters: true })),
    subject: fc.string({ unit: anyCharacter, minLength: 1, maxLength: 300 }),
  })
  .filter(isPerson);

test("an actor is printable ASCII without spaces, and leads back to its person alone", () => {
  fc.assert(
    fc.property(people, (person) => {
      const actor = toPersonActor(person);
      expect(actor).toMatch(/^person:[!-~]{1,993}$/);
      expect(parsePersonActor(actor)).toEqual(person);
      expect(parsePersonActor(actor.slice("person:".length))).toEqual(person);
    }),
  );
});

test("different people have different actors", () => {
  const pairs: [Person, Person][] = [
    [
      { issuer: "https://id.example.com", subject: "a#b" },
      { issuer: "https://id.example.com", subject: "a%23b" },
    ],
    [
      { issuer: "https://id.example.com/a", subject: "b" },
      { issuer: "https://id.example.com", subject: "a/b" },
    ],
    [
      { issuer: "proxy", subject: "Alice" },
      { issuer: "proxy", subject: "alice" },
    ],
    [
      { issuer: "proxy", subject: "\u00e9" },
      { issuer: "proxy", subject: "e\u0301" },
    ],
  ];
  for (const [one, other] of pairs) {
    expect(isPerson(one) && isPerson(other)).toBe(true);
    expect(toPersonActor(one)).not.toBe(toPersonActor(other));
    expect(isSamePerson(one, other)).toBe(false);
  }
});

test("a person is issuer and subject: names do not count, and nobody is no person", () => {
  const alice = { issuer: "proxy", subject: "alice", name: "Alice" };
  expect(isSamePerson(alice, { ...alice, name: "Alicia" })).toBe(true);
  expect(isSamePerson(alice, { ...alice, issuer: "https://id.example.com" })).toBe(false);
  expect(isSamePerson(undefined, undefined)).toBe(false);
});

describe("no person is", () => {
  test.each([
    ["a subject of nothing", "proxy", ""],
    ["a line feed", "proxy", "alice\nbob"],
    ["a carriage return", "proxy", "alice\r"],
    ["an escape character", "proxy", "\u001b[2Jalice"],
    ["a line separator", "proxy", "alice\u2028bob"],
    ["half of a character", "proxy", "\ud800"],
    ["a space around the subject", "proxy", " alice"],
    ["a text that the audit trail masks", "proxy", "svc_live_alice"],
    ["a subject that is too long", "proxy", "a".repeat(766)],
    ["a subject that is too long when it is encoded", "proxy", "é".repeat(128)],
    ["another word", "header", "alice"],
    ["an issuer with a fragment", "https://id.example.com/#a", "alice"],
    ["an issuer with a space", "https://id.example.com/a b", "alice"],
    ["an issuer that is too long", `https://id.example.com/${"a".repeat(200)}`, "alice"],
  ])("%s", (_what, issuer, subject) => {
    expect(toPerson(issuer, subject)).toBeUndefined();
  });

  test.each([
    null,
    "proxy#alice",
    { issuer: "proxy" },
    { issuer: "proxy", subject: "a", email: "a@b.example" },
  ])("%j", (value) => expect(isPerson(value)).toBe(false));

  test.each(["", "alice", "#alice", "person:", "proxy#%", "cli:root", "proxy#"])("the actor %j", (text) =>
    expect(parsePersonActor(text)).toBeUndefined(),
  );
});

test.each(["", " ", "a\nb", "a".repeat(201)])("the name %j is left out", (name) => {
  expect(toPerson("proxy", "alice", name)).toEqual({ issuer: "proxy", subject: "alice" });
});

test("the longest subject of OpenID Connect fits into a line of the audit trail as a whole", () => {
  const issuer = `https://id.example.com/${"a".repeat(177)}`;
  const [one, other] = ["b", "c"].map((end) => toPerson(issuer, `${"|".repeat(254)}${end}`));
  if (one === undefined || other === undefined) throw new Error("a conforming subject is refused");
  const lines = [one, other].map((person) =>
    toAuditLine({ actor: toPersonActor(person), from: "", act: "", result: "" }, genesis, 0),
  );
  expect(lines[0]).toContain(JSON.stringify(toPersonActor(one)));
  expect(lines[0]).not.toBe(lines[1]);
});
