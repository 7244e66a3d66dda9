import { describe, expect, test } from "vitest";
import type { Report } from "../../../../src/catalog/report.ts";
import { deprecatedIds, exceptionIds, licenseIds } from "../../../../src/lib/spdx/identifiers.ts";
import tool from "../../../../src/tools/lint/license-checker.ts";
import { refusalOf, runTool } from "../run-tool.ts";

interface Options {
  allow?: string[];
  deny?: string[];
  unknown?: string;
  ignore?: string[];
  production?: boolean;
}

const check = async (data: unknown, options: Options = {}): Promise<Report & { licenses?: unknown }> =>
  JSON.parse(
    await runTool(tool, { data: typeof data === "string" ? data : JSON.stringify(data), ...options }),
  ) as Report;

const found = async (data: unknown, options?: Options): Promise<string[]> =>
  (await check(data, options)).errors.map(({ rule, pointer }) => `${rule} ${pointer}`.trim());

/** The index and the message of the fault of an expression. */
async function faultOf(data: string): Promise<[number, string]> {
  const [first] = (await check(data)).errors;
  return [first?.offset ?? -1, first?.message ?? ""];
}

describe("an expression (SPDX 2.3, annex D)", () => {
  test.each([
    "MIT",
    "GPL-2.0+",
    "LicenseRef-23",
    "LicenseRef-MIT-Style-1",
    "DocumentRef-spdx-tool-1.2:LicenseRef-MIT-Style-2",
    "(LGPL-2.1-only OR MIT)",
    "(LGPL-2.1-only OR MIT OR BSD-3-Clause)",
    "(LGPL-2.1-only AND MIT AND BSD-2-Clause)",
    "(GPL-2.0-or-later WITH Bison-exception-2.2)",
    "LGPL-2.1-only OR BSD-3-Clause AND MIT",
    "MIT AND (LGPL-2.1-or-later OR BSD-3-Clause)",
    "mit or apache-2.0",
    "GPL-2.0-only with AdditionRef-Ours",
    " MIT\n",
    "( ( MIT ) )",
    "CDDL-1.0+",
  ])("%s", async (data) => {
    expect((await check(data)).errors.filter(({ rule }) => rule !== "deprecated-license")).toEqual([]);
  });

  test.each([
    ["", 0, "A licence must stand here, such as MIT or `MIT OR Apache-2.0`."],
    ["MIT AND", 4, "A licence must follow AND."],
    ["AND MIT", 0, "A licence must stand before AND."],
    ["MIT Apache-2.0", 4, 'AND or OR must stand before "Apache-2.0".'],
    ["(MIT", 0, "This ( is never closed."],
    ["MIT)", 3, "This ) closes nothing; remove it."],
    ["()", 1, "A licence must stand here, not a parenthesis."],
    ["MIT (ISC)", 4, "AND or OR must stand before a parenthesis."],
    ["MIT And ISC", 4, "Write AND in capital letters."],
    ["MIT / ISC", 4, "Write OR in the place of /."],
    ["MIT, ISC", 0, '"MIT," is not on the SPDX licence list; write AND or OR in the place of the comma.'],
    ["MIT/X11", 0, '"MIT/X11" is not on the SPDX licence list; write OR in the place of /.'],
    ["MIT WITH", 4, "An exception must follow WITH."],
    ["MIT WITH MIT", 9, '"MIT" is not an exception on the SPDX list.'],
    [
      "GPL-2.0-only WITH Classpath-exception-2",
      18,
      '"Classpath-exception-2" is not an exception on the SPDX list; did you mean Classpath-exception-2.0?',
    ],
    ["(MIT) WITH LLVM-exception", 6, "WITH must follow a licence without an exception."],
    ["MIT WITH LLVM-exception WITH LLVM-exception", 24, "WITH must follow a licence without an exception."],
    ["MIT +", 4, 'AND or OR must stand before "+".'],
    ["Apache-2", 0, '"Apache-2" is not on the SPDX licence list; did you mean Apache-2.0?'],
    ["Acme-1.0", 0, '"Acme-1.0" is not on the SPDX licence list; a licence of your own is LicenseRef-NAME.'],
    [
      "LicenseRef-",
      0,
      '"LicenseRef-" is not on the SPDX licence list; a licence of your own is LicenseRef-NAME.',
    ],
    ["SPDXVersion: SPDX-2.3", 0, "This is no SPDX expression; bills of materials are read as JSON."],
    ["<bom/>", 0, "This is no SPDX expression; bills of materials are read as JSON."],
    [
      "__proto__",
      0,
      '"__proto__" is not on the SPDX licence list; a licence of your own is LicenseRef-NAME.',
    ],
  ])("%j is refused at its place", async (data, index, message) => {
    expect(await faultOf(data)).toEqual([index, message]);
  });

  test("each identifier and exception of the list is accepted, in any case", async () => {
    for (const id of [...licenseIds, ...deprecatedIds])
      expect(await found(id.toLowerCase())).toEqual(deprecatedIds.includes(id) ? ["deprecated-license"] : []);
    for (const exception of exceptionIds)
      expect(await found(`GPL-2.0-only WITH ${exception.toUpperCase()}`)).toEqual([]);
  });

  test("a deprecated identifier has its successor", async () => {
    const messages = async (data: string) => (await check(data)).errors.map(({ message }) => message);
    expect(await messages("GPL-2.0+ OR LGPL-3.0 OR GPL-3.0-with-GCC-exception OR Nunit")).toEqual([
      "GPL-2.0 is a deprecated identifier; write GPL-2.0-or-later.",
      "LGPL-3.0 is a deprecated identifier; write LGPL-3.0-only.",
      "GPL-3.0-with-GCC-exception is a deprecated identifier; write GPL-3.0-only WITH GCC-exception-3.1.",
      "Nunit is a deprecated identifier.",
    ]);
  });

  test("no depth of parentheses ends more than the call", async () => {
    const nested = (depth: number): string => `${"(".repeat(depth)}MIT${")".repeat(depth)}`;
    expect((await check(nested(1000))).valid).toBe(true);
    expect(await faultOf(nested(1001))).toEqual([1000, "More than 1000 parentheses are open here."]);
    expect((await faultOf("(".repeat(200_000)))[0]).toBe(1000);
    expect((await check(`MIT${" OR MIT".repeat(20_000)}`, { allow: ["MIT"] })).valid).toBe(true);
  });
});

describe("the terms of a project", () => {
  test.each<[string, Options, boolean]>([
    ["MIT", { allow: ["MIT"] }, true],
    ["ISC", { allow: ["MIT"] }, false],
    ["MIT OR GPL-3.0-only", { allow: ["MIT"] }, true],
    ["MIT AND GPL-3.0-only", { allow: ["MIT"] }, false],
    ["MIT OR GPL-3.0-only", { deny: ["GPL-3.0-only"] }, true],
    ["MIT AND GPL-3.0-only", { deny: ["GPL-3.0-only"] }, false],
    ["(MIT OR ISC) AND (GPL-2.0-only OR Zlib)", { deny: ["GPL-*"] }, true],
    ["MIT OR ISC AND GPL-2.0-only", { deny: ["MIT", "GPL-*"] }, false],
    ["AGPL-3.0-or-later", { deny: ["AGPL-*"] }, false],
    // A licence "or later" may be used under a later version; it is not denied because a later one is.
    ["GPL-2.0-or-later", { allow: ["GPL-3.0-only"] }, true],
    ["GPL-2.0-only", { allow: ["GPL-3.0-only"] }, false],
    ["GPL-2.0-only", { allow: ["GPL-2.0-or-later"] }, true],
    ["GPL-3.0-only", { allow: ["GPL-2.0-or-later"] }, true],
    ["GPL-1.0-only", { allow: ["GPL-2.0-or-later"] }, false],
    ["GPL-2.0-or-later", { deny: ["GPL-3.0-only"] }, true],
    ["GPL-2.0-or-later", { deny: ["GPL-2.0-only"] }, false],
    ["GPL-3.0-only", { deny: ["GPL-2.0-or-later"] }, false],
    ["Apache-1.1+", { allow: ["Apache-2.0"] }, true],
    ["EUPL-1.1+", { allow: ["EUPL-1.2"] }, true],
    ["GPL-2.0", { allow: ["GPL-2.0-only"] }, true],
    ["GPL-2.0+", { allow: ["GPL-2.0-or-later"] }, true],
    // An exception gives more rights; a term that names it is closer than one that does not.
    ["GPL-2.0-only WITH Classpath-exception-2.0", { allow: ["GPL-2.0-only"] }, true],
    ["GPL-2.0-only", { allow: ["GPL-2.0-only WITH Classpath-exception-2.0"] }, false],
    [
      "GPL-2.0-only WITH Classpath-exception-2.0",
      { allow: ["MIT", "GPL-2.0-only WITH Classpath-exception-2.0"], deny: ["GPL-2.0-only"] },
      true,
    ],
    ["GPL-2.0-with-classpath-exception", { allow: ["GPL-2.0-only WITH Classpath-exception-2.0"] }, true],
    ["GPL-2.0-only", { allow: ["GPL-2.0-only"], deny: ["GPL-*"] }, true],
    ["GPL-3.0-only", { allow: ["GPL-2.0-only"], deny: ["GPL-*"] }, false],
    ["MIT", { allow: ["MIT"], deny: ["mit"] }, false],
    ["LicenseRef-Acme", { allow: ["LicenseRef-Acme"] }, true],
    ["LicenseRef-Acme", { allow: ["LicenseRef-*"] }, true],
    ["LicenseRef-Acme", { allow: ["MIT"] }, false],
    ["LicenseRef-Acme", { deny: ["LicenseRef-Acme"] }, false],
  ])("%s with %j: %s", async (data, options, valid) => {
    expect((await check(data, options)).valid).toBe(valid);
  });

  test.each([
    [{ allow: ["Apache2"] }, /allow.*"Apache2" is not on the SPDX licence list; did you mean Apache-2.0\?/],
    [{ deny: ["GPLX-*"] }, /deny.*"GPLX-\*" begins no identifier/],
    [{ allow: ["MIT OR ISC"] }, /"MIT OR ISC" must be one licence; give each of several by itself/],
    [{ deny: ["MIT WITH nothing"] }, /must name an exception on the SPDX list after WITH/],
  ])("%j is refused", async (options, message) => {
    const refusal = await refusalOf(runTool(tool, { data: "MIT", ...options }));
    expect(refusal.code).toBe("invalid_input");
    expect(refusal.message).toMatch(message);
  });
});

const lock = (packages: object, lockfileVersion = 3): object => ({ name: "shop", lockfileVersion, packages });

describe("a lock file of npm", () => {
  const packages = {
    "": { name: "shop", license: "UNLICENSED" },
    "packages/web": { name: "web", license: "GPL-3.0-only" },
    "node_modules/web": { resolved: "packages/web", link: true },
    "node_modules/a": { version: "1.0.0", license: "MIT" },
    "node_modules/@b/c": { version: "2.0.0", license: "(MIT OR GPL-3.0-only)" },
    "node_modules/a/node_modules/d": { version: "3.0.0", license: "GPL-3.0-only" },
    "node_modules/e": { version: "4.0.0", dev: true, license: "Apache 2.0" },
    "node_modules/f": { version: "5.0.0" },
    "node_modules/g": { version: "6.0.0", license: "SEE LICENSE IN LICENSE.md" },
    "node_modules/h": { version: "7.0.0", license: "UNLICENSED" },
    "node_modules/alias": { name: "i", version: "8.0.0", license: { type: "ISC" } },
    "node_modules/j": { version: "9.0.0", licenses: [{ type: "MIT" }, { type: "ISC" }] },
    "node_modules/__proto__": { version: "1.0.0", license: "constructor" },
  };

  test("each package is reported at its licence, not the project and its workspaces", async () => {
    expect((await check(lock(packages), { deny: ["GPL-*"] })).errors).toMatchObject([
      {
        rule: "denied-license",
        pointer: "/packages/node_modules~1a~1node_modules~1d/license",
        message: "d@3.0.0 has the denied licence GPL-3.0-only.",
      },
      {
        message:
          'e@4.0.0 has a licence that is no SPDX expression: "Apache 2.0"; probably Apache-2.0.'.replaceAll(
            '"',
            "",
          ),
      },
      { message: "f@5.0.0 states no licence.", pointer: "/packages/node_modules~1f" },
      { message: "g@6.0.0 has its licence in a file: SEE LICENSE IN LICENSE.md." },
      { message: "h@7.0.0 is UNLICENSED, which npm has for packages that nobody may use." },
      { rule: "unknown-license", pointer: "/packages/node_modules~1__proto__/license" },
    ]);
  });

  test("allow names what is acceptable", async () => {
    const { errors } = await check(lock(packages), { allow: ["MIT"], unknown: "warn" });
    expect(errors.filter(({ severity }) => severity === "error").map(({ message }) => message)).toEqual([
      "d@3.0.0 has GPL-3.0-only, which is not among the allowed licences.",
      "i@8.0.0 has ISC, which is not among the allowed licences.",
    ]);
    expect(errors.filter(({ severity }) => severity === "warning")).toHaveLength(5);
  });

  test("packages can be left out, by name and by version, and those for development", async () => {
    const options = { deny: ["GPL-*"], ignore: ["d@3.0.0", "f", "g@1"], production: true };
    expect(await found(lock(packages), options)).toEqual([
      "unknown-license /packages/node_modules~1g/license",
      "unknown-license /packages/node_modules~1h/license",
      "unknown-license /packages/node_modules~1__proto__/license",
    ]);
  });

  test("the licences are counted, the commonest first", async () => {
    const { licenses } = await check(lock(packages));
    expect(Object.entries(licenses as object).slice(0, 3)).toEqual([
      ["(MIT OR GPL-3.0-only)", 1],
      ["Apache 2.0", 1],
      ["GPL-3.0-only", 1],
    ]);
    expect((await check(lock({}))).licenses).toEqual({});
  });

  test.each([
    [{ lockfileVersion: 1, dependencies: { a: { version: "1.0.0" } } }, /version is 1.*lockfile-version 3/],
    [
      lock({ "node_modules/a": { version: "1.0.0" } }),
      /^This lock file has no licences\. List the installed/,
    ],
  ])("without any licence it has one finding that says what to do", async (data, message) => {
    const { errors } = await check(data);
    expect(errors).toMatchObject([{ rule: "no-licenses", severity: "error" }]);
    expect(errors[0]?.message).toMatch(message);
  });
});

test.each([
  ["yarn.lock", '# THIS IS AN AUTOGENERATED FILE.\n# yarn lockfile v1\n\n\na@^1:\n  version "1.0.0"\n'],
  ["yarn.lock", "__metadata:\n  version: 8\n\n"],
  ["pnpm-lock.yaml", "lockfileVersion: '9.0'\n\nimporters: {}\n"],
  ["A lock file in TOML", '[[package]]\nname = "a"\n'],
])("%s has no licences, which one finding says", async (name, data) => {
  for (const [unknown, severity] of [
    ["error", "error"],
    ["warn", "warning"],
  ] as const) {
    const { errors } = await check(data, { unknown });
    expect(errors).toMatchObject([{ rule: "no-licenses", severity, line: 1, column: 1 }]);
    expect(errors[0]?.message).toMatch(`${name} has no licences, so nothing can be checked.`);
  }
});

describe("a bill of materials", () => {
  const component = (name: string, licenses: unknown, more: object = {}): object => ({
    type: "library",
    name,
    version: "1",
    licenses,
    ...more,
  });

  test("CycloneDX: identifiers, names, expressions, nested components; the project itself is left out", async () => {
    const bom = {
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      metadata: { component: component("shop", [{ license: { id: "GPL-3.0-only" } }]) },
      components: [
        component("a", [{ license: { id: "MIT" } }]),
        component("b", [{ license: { name: "Apache License 2.0" } }], { group: "org.example" }),
        component("c", [{ expression: "MIT OR GPL-3.0-only" }], {
          components: [component("d", [{ license: { id: "GPL-3.0-only" } }])],
        }),
        component("e", [{ license: { id: "MIT" } }, { license: { id: "GPL-3.0-only" } }]),
        component("f", [
          { license: { id: "GPL-3.0-only", acknowledgement: "declared" } },
          { license: { id: "MIT", acknowledgement: "concluded" } },
        ]),
        component("g", undefined),
        component("h", undefined, { type: "file" }),
        component("i", [{ license: { id: "GPL-3.0-only" } }], { scope: "excluded" }),
        component("j", [{ license: { id: "GPL-3.0-only" } }], {
          properties: [{ name: "cdx:npm:package:development", value: "true" }],
        }),
        null,
      ],
    };
    expect(await found(bom, { deny: ["GPL-*"], production: true })).toEqual([
      "unknown-license /components/1/licenses/0/license/name",
      "denied-license /components/2/components/0/licenses/0/license/id",
      "denied-license /components/3/licenses/1/license/id",
      "unknown-license /components/5",
      "unknown-license /components/9",
    ]);
  });

  test("SPDX 2: the conclusion or else the declaration; NONE, NOASSERTION and references are unknown", async () => {
    const bom = {
      spdxVersion: "SPDX-2.3",
      documentDescribes: ["SPDXRef-shop"],
      packages: [
        { SPDXID: "SPDXRef-shop", name: "shop", licenseDeclared: "GPL-3.0-only" },
        {
          SPDXID: "SPDXRef-a",
          name: "a",
          versionInfo: "1",
          licenseConcluded: "MIT",
          licenseDeclared: "GPL-3.0-only",
        },
        { SPDXID: "SPDXRef-b", name: "b", licenseConcluded: "NOASSERTION", licenseDeclared: "GPL-3.0-only" },
        { SPDXID: "SPDXRef-c", name: "c", licenseConcluded: "NOASSERTION", licenseDeclared: "NOASSERTION" },
        { SPDXID: "SPDXRef-d", name: "d", licenseConcluded: "NONE" },
        { SPDXID: "SPDXRef-e", name: "e", licenseConcluded: "LicenseRef-1 AND MIT" },
      ],
    };
    const { errors } = await check(bom, { deny: ["GPL-*"] });
    expect(errors.map(({ rule, pointer }) => `${rule} ${pointer}`)).toEqual([
      "denied-license /packages/2/licenseDeclared",
      "unknown-license /packages/3",
      "unknown-license /packages/4/licenseConcluded",
      "unknown-license /packages/5/licenseConcluded",
    ]);
    const relationships = [
      { spdxElementId: "SPDXRef-DOCUMENT", relationshipType: "DESCRIBES", relatedSpdxElement: "SPDXRef-b" },
    ];
    expect(
      await found({ spdxVersion: "SPDX-2.2", relationships, packages: bom.packages.slice(1, 3) }),
    ).toEqual([]);
    // A document about one package alone is about that package.
    expect(await found({ ...bom, packages: bom.packages.slice(0, 1) }, { deny: ["GPL-*"] })).toEqual([
      "denied-license /packages/0/licenseDeclared",
    ]);
  });
});

test("package.json states the licence of one package", async () => {
  expect(await found({ name: "a", version: "1.0.0", license: "MIT" })).toEqual([]);
  expect(await found({ name: "a", license: "Apache License, Version 2.0" })).toEqual([
    "unknown-license /license",
  ]);
  expect(await found({ name: "a" })).toEqual(["unknown-license"]);
});

test.each([["{}"], ["[]"], ['{"a":1}'], ['{"@context":"https://spdx.org/rdf/3.0.1/spdx-context.jsonld"}']])(
  "%s is no list of packages",
  async (data) => {
    expect((await check(data)).errors).toMatchObject([{ rule: "unknown-document", severity: "error" }]);
  },
);

test("JSON at fault is a finding at its place", async () => {
  expect((await check('{"name":"a",}')).errors).toMatchObject([{ rule: "syntax", line: 1, column: 12 }]);
  expect((await check("[".repeat(100_000))).errors).toMatchObject([{ rule: "syntax" }]);
});
