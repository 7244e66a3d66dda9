import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { loadConfig, variableOf } from "../../../src/config.ts";

// Configurations of a sign-in through a proxy that stop a start.
const secret = "0123456789abcdef0123456789abcdef";
const sound = { header: "X-Forwarded-User", secret, accountClaim: "user" };
const near = { trustedProxies: "127.0.0.1" };

function load(proxyAuth: Record<string, string>, server: Record<string, string> = near, web = {}) {
  const env = Object.fromEntries(
    Object.entries({ proxyAuth, server, web }).flatMap(([section, values]) =>
      Object.entries<string>(values).map(([name, value]) => [variableOf(section, name), value]),
    ),
  );
  return loadConfig({ env, readText: () => undefined, slugs: async () => [] });
}

describe("is accepted", () => {
  it.each<[string, Record<string, string>, Record<string, string>?]>([
    ["nothing", {}, {}],
    ["a proxy on this machine", sound],
    ["a proxy on a Unix socket", sound, { trustedProxies: "unix" }],
    ["a private network", sound, { trustedProxies: "10.0.0.0/8,fd00::/8" }],
    ["groups", { ...sound, accountClaim: "groups", groupsHeader: "Remote-Groups", accountMap: "a=b" }],
    ["an operator alone", { ...sound, accountClaim: "", operatorRule: "user=alice" }],
  ])("%s", async (_, proxyAuth, server) => {
    const { config } = await load(proxyAuth, server);
    expect(config.proxyAuth.header).toBe(proxyAuth["header"] ?? "");
    expect(variableOf("proxyAuth", "groupsHeader")).toBe("PENKNIFE_PROXY_AUTH_GROUPS_HEADER");
    expect(config.proxyAuth.secretHeader).toBe("X-Penknife-Proxy-Secret");
  });
});

describe("is refused", () => {
  it.each<[string, Record<string, string>, Record<string, string>, RegExp]>([
    ["no trusted proxy", sound, {}, /needs the address of the proxy in server\.trustedProxies/],
    ["every address", sound, { trustedProxies: "0.0.0.0/0" }, /0\.0\.0\.0\/0 .* much of the Internet/],
    ["every address of IPv6", sound, { trustedProxies: "127.0.0.1,::/0" }, /::\/0 .* much of the Internet/],
    ["every mapped address", sound, { trustedProxies: "::ffff:0:0/96" }, /much of the Internet/],
    ["half of the addresses", sound, { trustedProxies: "0.0.0.0/1,128.0.0.0/1" }, /much of the Internet/],
    ["no secret", { ...sound, secret: "" }, near, /needs proxyAuth\.secret/],
    ["a short secret", { ...sound, secret: "0".repeat(31) }, near, /32 to 200 printable ASCII characters/],
    ["a secret with a space", { ...sound, secret: `${secret} ${secret}` }, near, /without spaces/],
    ["no rule", { ...sound, accountClaim: "" }, near, /without them nobody can sign in/],
    [
      "a map of nothing",
      { ...sound, accountClaim: "", accountMap: "a=b", operatorRule: "user=a" },
      near,
      /accountMap needs/,
    ],
    ["groups from nowhere", { ...sound, accountClaim: "groups" }, near, /set proxyAuth\.groupsHeader/],
    [
      "an operator's group from nowhere",
      { ...sound, operatorRule: "groups=ops" },
      near,
      /set proxyAuth\.groupsHeader/,
    ],
    ["another claim", { ...sound, accountClaim: "email" }, near, /accountClaim/],
    ["a rule about another claim", { ...sound, operatorRule: "email=a@b.example" }, near, /operatorRule/],
    ["a header of browsers", { ...sound, header: "User-Agent" }, near, /User-Agent has one/],
    ["the header of addresses", { ...sound, header: "x-forwarded-for" }, near, /x-forwarded-for has one/],
    [
      "the same header as a configured one",
      { ...sound, header: "X-Real-IP" },
      { ...near, proxyHeader: "x-real-ip" },
      /X-Real-IP has one/,
    ],
    ["one header twice", { ...sound, secretHeader: "x-forwarded-user" }, near, /x-forwarded-user has one/],
    ["no header of the secret", { ...sound, secretHeader: "" }, near, /secretHeader is empty/],
    [
      "a header with a space",
      { ...sound, header: "X User" },
      near,
      /header must be|nothing, or the name of a header/,
    ],
    ["a secret without a header", { secret }, near, /proxyAuth\.secret is set, but proxyAuth\.header is not/],
  ])("%s", async (_, proxyAuth, server, message) => {
    const loading = load(proxyAuth, server);
    await expect(loading).rejects.toMatchObject({ code: "invalid_input" });
    await expect(loading).rejects.toThrow(message);
    await expect(loading).rejects.not.toThrow(secret);
  });

  it("no pages", async () => {
    await expect(load(sound, near, { enabled: "false" })).rejects.toThrow(/set web\.enabled to true/);
  });
});

it("the lines of docs/sign-in.md start, with a secret in the place of the ellipsis", async () => {
  const text = readFileSync(new URL("../../../docs/sign-in.md", import.meta.url), "utf8");
  const recipes = [...text.matchAll(/^```yaml\n([^`]*?^proxyAuth:[^`]*?)^```$/gm)].map(
    ([, recipe = ""]) => recipe,
  );
  expect(recipes).toHaveLength(1);
  const yaml = recipes[0]?.replace("secret: …", `secret: ${secret}`);
  const { config } = await loadConfig({
    env: {},
    file: "./penknife.yaml",
    readText: () => yaml,
    slugs: async () => [],
  });
  expect(config.proxyAuth).toMatchObject({ header: "X-Forwarded-User", secret, accountClaim: "groups" });
});
