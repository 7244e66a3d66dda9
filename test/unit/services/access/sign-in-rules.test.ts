import * as fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  type Claims,
  claimsOf,
  type Rules,
  toRights,
} from "../../../../src/services/access/sign-in-rules.ts";

const rules = (changes: Partial<Rules>): Rules => ({
  accountClaim: "",
  accountMap: [],
  operatorRule: [],
  ...changes,
});
const groups = { accountClaim: "groups" };
const nobody = { operator: false, accounts: [] };

describe("accounts", () => {
  it.each<[string, Claims, Partial<Rules>, string[]]>([
    ["are the values of the claim", { groups: ["b", "a", "b"] }, groups, ["a", "b"]],
    ["are one value", { groups: "a" }, groups, ["a"]],
    ["are not parts of a value", { groups: "a b,c" }, groups, []],
    ["are names of accounts", { groups: ["A", "/a", "a b", "", "-a", "a".repeat(64), "ok"] }, groups, ["ok"]],
    ["are strings", { groups: [1, null, {}, ["a"]] }, groups, []],
    [
      "are found by rules",
      { groups: ["/teams/a", "b"] },
      { ...groups, accountMap: ["/teams/a=a", "c=c"] },
      ["a"],
    ],
    [
      "may be several for one value",
      { groups: ["x"] },
      { ...groups, accountMap: ["x=b", "x=a", "y=c"] },
      ["a", "b"],
    ],
    [
      "are found by distinguished names",
      { groups: ["cn=a,dc=example"] },
      { ...groups, accountMap: ["cn=a,dc=example=a"] },
      ["a"],
    ],
    ["are in an object", { realm_access: { roles: ["a"] } }, { accountClaim: "realm_access.roles" }, ["a"]],
    [
      "are in a claim whose name has dots",
      { "https://example.com/g": ["a"], https: { "//example": { "com/g": "b" } } },
      { accountClaim: "https://example.com/g" },
      ["a"],
    ],
    ["are not what every object has", { groups: {} }, { accountClaim: "groups.constructor.name" }, []],
    ["are not without a claim", { groups: ["a"] }, {}, []],
  ])("%s", (_, claims, changes, accounts) => {
    expect(toRights(claims, rules(changes))).toEqual({ operator: false, accounts });
  });
});

describe("the operator", () => {
  const operatorRule = ["groups=ops", "roles.penknife=admin", "sub=42", "root=true", "dn=cn=ops,dc=x"];
  it.each<[Claims, boolean]>([
    [{ groups: ["x", "ops"] }, true],
    [{ groups: "ops" }, true],
    [{ roles: { penknife: ["admin"] } }, true],
    [{ sub: "42" }, true],
    [{ root: true }, true],
    [{ dn: "cn=ops,dc=x" }, true],
    [{ groups: ["Ops", "ops ", "opsx"] }, false],
    [{ sub: 42 }, false],
    [{ root: [true, "x"] }, true],
    [{ root: { true: 1 } }, false],
    [{ other: "ops" }, false],
    [{}, false],
  ])("%j", (claims, operator) => {
    expect(toRights(claims, rules({ operatorRule })).operator).toBe(operator);
  });
});

describe("the claim email counts only if the provider has verified it", () => {
  const both = rules({ accountClaim: "email", accountMap: ["a@x=a"], operatorRule: ["email=a@x"] });
  it.each<[unknown, boolean]>([
    [true, true],
    [false, false],
    ["true", false],
    [1, false],
    [undefined, false],
  ])("email_verified: %j", (verified, counts) => {
    expect(toRights({ email: "a@x", email_verified: verified }, both)).toEqual(
      counts ? { operator: true, accounts: ["a"] } : nobody,
    );
  });
});

it("lists the claims that the rules read, each once", () => {
  expect(claimsOf(rules({ ...groups, operatorRule: ["groups=a", "sub=1=2", "sub=3"] }))).toEqual([
    "groups",
    "sub",
  ]);
  expect(claimsOf(rules({}))).toEqual([]);
  // Without it the address does not count.
  expect(claimsOf(rules({ operatorRule: ["email=a"] }))).toEqual(["email", "email_verified"]);
});

it("claims give no right that no rule names", () => {
  const some = rules({ ...groups, accountMap: ["x=a"], operatorRule: ["groups=ops"] });
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), fc.array(fc.string()), (claims, values) => {
      const others = values.filter((value) => value !== "x" && value !== "ops");
      expect(toRights({ ...claims, groups: others }, some)).toEqual(nobody);
    }),
  );
});
