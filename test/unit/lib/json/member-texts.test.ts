import { expect, test } from "vitest";
import * as fc from "fast-check";
import { memberTexts } from "../../../../src/lib/json/member-texts.ts";
import { startCost } from "../../../cost/start-cost.ts";
import { anyCharacter } from "../../../support/any-character.ts";

const textsOf = (document: string | Uint8Array, names = ["id", "type"]): Record<string, string> =>
  Object.fromEntries(memberTexts(typeof document === "string" ? Buffer.from(document) : document, names));

test.each<[string, Record<string, string>]>([
  ['{"id":"a","type":"b"}', { id: "a", type: "b" }],
  [' \t\r\n{ "id" : "a" , "x" : 1 } \n', { id: "a" }],
  ['{"x":{"id":"no"},"y":[{"id":"no"},"id"],"id":"yes"}', { id: "yes" }],
  ['{"x":"id","id":"yes","y":"\\"id\\":\\"no\\""}', { id: "yes" }],
  ['{"id":"\\u00e9\\n\\ud83d\\ude00\\\\"}', { id: "é\n😀\\" }],
  ['{"\\u0069\\u0064":"a"}', { id: "a" }],
  ['{"i\\u0064":"a","idd":"b","i":"c"}', { id: "a" }],
  ['{"id":"1","id":"2"}', { id: "2" }],
  ['{"id":"1","id":2}', {}],
  ['{"id":"1","id":["2"]}', {}],
  ['{"id":1,"type":null}', {}],
  ['{"id":{"id":"x"},"type":["type"]}', {}],
  ['{"id":["a","b"]}', {}],
  ['{"id":""}', { id: "" }],
  ["{}", {}],
  ["", {}],
  ["  ", {}],
  ["[]", {}],
  ['["id"]', {}],
  ['"id"', {}],
  ['[{"id":"a"}]', {}],
  ['{"id":"a"', {}],
  ['{"id":"a', {}],
  ['{"id":"a\\"}', {}],
  ['{"id":', {}],
])("%s", (document, texts) => {
  expect(textsOf(document)).toEqual(texts);
});

test("invalid UTF-8 is not a string", () => {
  expect(textsOf(Buffer.from('{"id":"\xff","type":"b"}', "latin1"))).toEqual({ type: "b" });
});

test("agrees with JSON.parse on every object", () => {
  const names = fc.oneof(fc.constantFrom("id", "type", "i", "idd"), fc.string());
  const values = fc.oneof(
    fc.string({ unit: anyCharacter }),
    fc.json().map((text) => JSON.parse(text) as unknown),
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(names, values), { maxLength: 8 }), fc.nat(2), (members, indent) => {
      const object = Object.fromEntries(members.filter(([name]) => name !== "__proto__"));
      const wanted = Object.entries(object).filter(
        ([name, value]) => (name === "id" || name === "type") && typeof value === "string",
      );
      expect(textsOf(JSON.stringify(object, null, indent))).toEqual(Object.fromEntries(wanted));
    }),
  );
});

test("runs in linear time on junk of any kind", () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ maxLength: 200 }),
      fc.constantFrom("", "{", '{"id":', '{"id":"'),
      (bytes, head) => {
        memberTexts(Buffer.concat([Buffer.from(head), bytes]), ["id", "type"]);
      },
    ),
  );
  for (const unit of ['{"', '"', "\\", "[", '{"id":', '"\\', '{"i\\u0064":"a",']) {
    const cost = startCost();
    memberTexts(Buffer.from(`{"x":"${unit.repeat(125_000)}`), ["id", "type"]);
    memberTexts(Buffer.from(`{${unit.repeat(40_000)}`), ["id", "type"]);
    // A quadratic search would take many seconds.
    expect([unit, cost() < 75]).toEqual([unit, true]);
  }
});

test("runs in linear time on a megabyte of members without effect", () => {
  for (const member of ['"id":"a",', '"id":"\\q",', '"\\q":1,', '"\\u0069d":"\\q",', '"id":"\0",']) {
    const document = Buffer.from(`{${member.repeat(1_048_576 / member.length)}"type":"b"}`);
    const cost = startCost();
    expect(memberTexts(document, ["id", "type"]).get("type")).toBe("b");
    // Decoding each of them would take a second, during which no other request is answered.
    expect([member, cost() < 30]).toEqual([member, true]);
  }
});

test.each<[string, Record<string, string>]>([
  ['{"\\u0049d":"a","\\u006":"b","\\u0069\\u0064\\u0064":"c","\\u0069":"d"}', {}],
  ['{"\\u0074\\u0079\\u0070\\u0065":"a","\\U0069d":"b"}', { type: "a" }],
  ['{"t\\u0079\\u0070e":"a"}', { type: "a" }],
  ['{"id":"a","id":"\\q"}', {}],
])("recognizes a name in every notation: %s", (document, texts) => {
  expect(textsOf(document)).toEqual(texts);
});
