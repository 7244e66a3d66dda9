import type { Plugin } from "rolldown";
import { describe, expect, it } from "vitest";
import { bundleGuarded } from "../../../config/build/guards.ts";

const entry = (code: string): Plugin => ({
  name: "entry",
  resolveId: (source) => (source === "entry.ts" ? `/entry.ts` : null),
  load: (id) => (id === "/entry.ts" ? code : null),
});

/** Bundles a module as the build does and returns its exports. */
async function load(code: string): Promise<Record<string, (text: string) => unknown>> {
  const [{ code: script }] = await bundleGuarded(
    { input: "entry.ts", plugins: [entry(code)], tsconfig: false },
    { format: "cjs", exports: "named", minify: true },
  );
  const exports = {};
  process.getBuiltinModule("node:vm").compileFunction(script, ["exports"])(exports);
  return exports;
}

const guard = (name: string, statement: string): string =>
  `export const ${name} = (text: any) => { try { ${statement} } catch { return "refused"; } return "passed"; };`;

describe("the bundler", () => {
  it.each([
    ["decodeURI(text);", "%", "%25"],
    ["decodeURIComponent(text);", "%zz", "%7A"],
    ["encodeURI(text);", "\ud800", "é"],
    ["encodeURIComponent(text);", "\udfff", "é"],
    ["String.fromCodePoint(text);", "-1", "65"],
    ["const unused = decodeURIComponent(text);", "%", "a"],
    ["let last; last = decodeURIComponent(text);", "%", "a"],
    ["if (text) decodeURIComponent(text);", "%", "a"],
    ["decodeURIComponent(text); Reflect.ownKeys({});", "%", "a"],
    ["new URL(text);", "http://[", "http://a"],
    ["new RegExp(text);", "(", "a"],
    ["BigInt(text);", "x", "1"],
    ["JSON.parse(text);", "{", "1"],
    ["Intl.getCanonicalLocales(text);", "-", "en"],
    ["text.a.b;", "", Object.assign(Object(""), { a: {} }) as string],
  ])("keeps `%s` in a try block", async (statement, bad, good) => {
    const { check } = await load(guard("check", statement));
    expect([check?.(bad), check?.(good)]).toEqual(["refused", "passed"]);
  });

  it("keeps a guard that is a function of its own", async () => {
    const { check } = await load(
      `const require = (text: string): void => { decodeURIComponent(text); };${guard("check", "require(text);")}`,
    );
    expect([check?.("%"), check?.("a")]).toEqual(["refused", "passed"]);
  });

  it.each([
    ["all that a try block contains", "parseInt(text);"],
    ["a variable that nothing reads", "const unused = parseInt(text);"],
    ["one of several statements", "Reflect.ownKeys({});\n  parseInt(text);\n  Reflect.ownKeys([]);", 3],
  ])("is not allowed to remove %s", async (_, statement, line = 2) => {
    // Throws where the text is a symbol.
    await expect(load(`\n${guard("check", statement)}`)).rejects.toThrow(
      new RegExp(`removed code that can throw from a try block: \\S*entry\\.ts:${line}\\. Use the result`),
    );
  });

  it("may remove a function that nothing calls, with its guard", async () => {
    const unused = guard("unused", "parseInt(text);").replace("export ", "");
    expect(Object.keys(await load(`${unused} export const other = 1;`))).toEqual(["other"]);
  });
});
