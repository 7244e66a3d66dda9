import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadConfig, variableOf } from "../../../src/config.ts";

// Configurations of single sign-on that stop a start.
const five = {
  issuer: "https://id.example.com/realms/staff",
  clientId: "penknife",
  accountClaim: "groups",
};
const publicUrl = { publicUrl: "https://tools.example.com" };

function load(oidc: Record<string, string>, web: Record<string, string> = publicUrl) {
  const env = Object.fromEntries(
    Object.entries({ oidc, web }).flatMap(([section, values]) =>
      Object.entries(values).map(([name, value]) => [variableOf(section, name), value]),
    ),
  );
  return loadConfig({ env, readText: () => undefined, slugs: async () => [] });
}

describe("is accepted", () => {
  it.each<[string, Record<string, string>, Record<string, string>?]>([
    ["nothing", {}, {}],
    ["an account claim", five],
    ["rules", { ...five, accountMap: "/teams/a=a,/teams/b=b" }],
    ["an operator's rule alone", { ...five, accountClaim: "", operatorRule: "groups=ops" }],
    ["a provider on this machine", { ...five, issuer: "http://127.0.0.1:8080" }],
    ["this server on this machine", five, { publicUrl: "http://localhost:8787" }],
    [
      "plain HTTP where the operator allows it",
      five,
      { publicUrl: "http://tools.lan", insecureCookies: "true" },
    ],
    [
      "all options",
      { ...five, name: "Staff", clientSecret: "s", scopes: "profile,groups", caFile: "ca.pem" },
    ],
  ])("%s", async (_, oidc, web) => {
    const { config } = await load(oidc, web);
    expect(config.oidc.issuer).toBe(oidc["issuer"] ?? "");
    expect(config.oidc.scopes).toEqual(oidc["scopes"]?.split(",") ?? ["profile"]);
  });
});

describe("is refused", () => {
  it.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    [
      "a client without an issuer",
      { clientId: "penknife" },
      publicUrl,
      /oidc\.clientId is set, but oidc\.issuer is not/,
    ],
    ["rules without an issuer", { operatorRule: "a=b" }, publicUrl, /oidc\.operatorRule is set, but/],
    ["no client", { ...five, clientId: "" }, publicUrl, /needs oidc\.clientId/],
    ["no public URL", five, {}, /needs web\.publicUrl/],
    ["no pages", five, { ...publicUrl, enabled: "false" }, /set web\.enabled to true/],
    ["a provider in clear", { ...five, issuer: "http://id.example.com" }, publicUrl, /must begin with https/],
    [
      "a name that only begins like this machine",
      { ...five, issuer: "http://127.0.0.1.example.com" },
      publicUrl,
      /https/,
    ],
    ["this server in clear", five, { publicUrl: "http://tools.lan" }, /publicUrl that begins with https/],
    ["nobody", { ...five, accountClaim: "" }, publicUrl, /nobody can sign in/],
    [
      "rules for no claim",
      { ...five, accountClaim: "", accountMap: "a=a", operatorRule: "a=b" },
      publicUrl,
      /needs oidc\.accountClaim/,
    ],
    ["an issuer with a query", { ...five, issuer: "https://id.example.com/?a=b" }, publicUrl, /issuer URL/],
    ["an issuer with a password", { ...five, issuer: "https://a:b@id.example.com" }, publicUrl, /issuer URL/],
    [
      "an issuer with an impossible port",
      { ...five, issuer: "http://localhost:99999" },
      publicUrl,
      /issuer is not/,
    ],
    ["an issuer with an impossible host", { ...five, issuer: "https://[id" }, publicUrl, /issuer is not/],
    [
      "an impossible public URL",
      five,
      { publicUrl: "https://tools:99999" },
      /web\.publicUrl is not a valid URL/,
    ],
    ["a public URL for every name", five, { publicUrl: "https://*.example.com" }, /a URL such as/],
    // People of these could not be recorded.
    ["an issuer outside of ASCII", { ...five, issuer: "https://id.example.com/\u00e4" }, publicUrl, /ASCII/],
    [
      "an issuer that is too long",
      { ...five, issuer: `https://id.example.com/${"a".repeat(180)}` },
      publicUrl,
      /at most 200/,
    ],
    ["an issuer that is no URL", { ...five, issuer: "id.example.com" }, publicUrl, /issuer URL/],
    ["a rule without an account", { ...five, accountMap: "/teams/a" }, publicUrl, /got "\/teams\/a"/],
    ["a rule for an impossible account", { ...five, accountMap: "a=Team A" }, publicUrl, /got "a=Team A"/],
    ["a rule without a value", { ...five, operatorRule: "groups" }, publicUrl, /got "groups"/],
    ["a claim that is a rule", { ...five, accountClaim: "groups=a" }, publicUrl, /name of a claim/],
    ["a scope that is two", { ...five, scopes: "profile groups" }, publicUrl, /a scope, such as/],
  ])("%s", async (_, oidc, web, message) => {
    await expect(load(oidc, web)).rejects.toThrow(message);
  });
});

it("an error does not repeat the secret", async () => {
  await expect(load({ clientSecret: "hunter2" })).rejects.toThrow(/^(?!.*hunter2).*oidc\.clientSecret/);
});

describe("docs/sign-in.md", () => {
  const text = readFileSync(new URL("../../../docs/sign-in.md", import.meta.url), "utf8");
  const recipes = [...text.matchAll(/^```yaml\n(.*?)^```$/gms)]
    .map(([, recipe = ""]) => recipe)
    .filter((recipe) => /^oidc:/m.test(recipe));

  it.each(recipes)("has a configuration that starts: %s", async (recipe) => {
    const yaml = recipe.includes("web:") ? recipe : `web:\n  publicUrl: https://tools.example.com\n${recipe}`;
    const { config } = await loadConfig({
      env: {},
      file: "./penknife.yaml",
      readText: () => yaml,
      slugs: async () => [],
    });
    expect(config.oidc.issuer).toMatch(/^https:/);
  });

  it("has recipes for the common providers", () => {
    expect(recipes).toHaveLength(4);
  });
});
