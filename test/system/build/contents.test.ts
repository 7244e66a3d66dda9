import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Built, Start } from "../../../config/build/executable.ts";
import type { Package } from "../../../config/build/packages.ts";
import { parseExpression } from "../../../src/lib/spdx/expression.ts";
import { findObstacles, readTerms } from "../../../src/lib/spdx/terms.ts";

// Reads what the last `make build` put into dist/penknife.
const root = new URL("../../..", import.meta.url).pathname;
const read = (path: string): unknown => JSON.parse(readFileSync(join(root, path), "utf8"));
const { packages, scripts, start, lines } = read("dist/bundle.json") as {
  packages: Package[];
  scripts: Record<string, number>;
  start: Start;
  lines: Built["lines"];
};

/** Licences whose only condition for distribution is that their text is included. */
const allowed = readTerms({
  allow: "0BSD Apache-2.0 BSD-2-Clause BSD-3-Clause BlueOak-1.0.0 ISC MIT Unlicense".split(" "),
  deny: [],
});

describe("the executable", () => {
  it.each(packages)("may pass on $name ($license), with its text", ({ license, texts }) => {
    expect(findObstacles(parseExpression(license), allowed)).toBe(undefined);
    expect(texts.join("\n").length).toBeGreaterThan(200);
  });

  it("prints every licence", () => {
    const text = execFileSync(join(root, "dist/penknife"), ["licenses"], {
      encoding: "utf8",
      maxBuffer: 1e7,
    });
    for (const { name, version, texts } of packages) {
      expect(text).toContain(`\n${name} ${version} (`);
      for (const each of texts) expect(text).toContain(each.trim());
    }
  });

  it("prints its version and commit", () => {
    const { version } = read("package.json") as { version: string };
    const text = execFileSync(join(root, "dist/penknife"), ["--version"], { encoding: "utf8" });
    expect(text).toMatch(
      new RegExp(`^penknife ${version.replaceAll(".", "\\.")} \\([0-9a-f]{12}\\+?\\)\\n$|\\(unknown\\)`),
    );
  });
});

// The record of the build's trial run at the first answer of `penknife serve`.
describe("a start", () => {
  it("evaluates two scripts, which do not grow with the catalogue", () => {
    expect(start.scripts).toEqual(["main", "main.serve"]);
    const sizes = start.scripts.map((name) => scripts[name] ?? 0);
    // Every 100 KB cost one to two milliseconds.
    expect(sizes.reduce((total, size) => total + size)).toBeLessThan(456_000);
  });

  /** Loaded on first use. Each pattern must match a source file or a library of the executable. */
  const late = [
    /^src\/tools\/[^/]+\//,
    /^src\/catalog\/(?:run-)?pipeline/,
    /^src\/services\/access\/(?:accounts|keys)\.ts$/,
    /^src\/services\/access\/oidc\//,
    /^src\/operations\/(?!open-operator\.ts$)/,
    /^src\/services\/audit\//,
    /^src\/services\/events\/live\//,
    /^src\/services\/inbox\/(?!access\.ts$)/,
    /^src\/storage\/(?:audit|usage)\//,
    /^src\/storage\/(?:redis|inbox)\//,
    /^src\/storage\/record-lists\.ts$/,
    /^src\/services\/usage\/report\.ts$/,
    /^src\/surfaces\/cli\/(?:admin|run|check)/,
    /^src\/surfaces\/graphql\/(?!graphql\.ts$)/,
    /^src\/surfaces\/http\/assets\.ts$/,
    /^src\/surfaces\/mcp\/(?!mcp\.ts$)/,
    /^src\/surfaces\/socket\/(?!operator-socket\.ts$)/,
    /^src\/surfaces\/web\/(?!web\.ts$)/,
    /^src\/surfaces\/rest\/inbox-(?!routes\.ts$)/,
    /^src\/surfaces\/rest\/openapi\//,
    /\/zod\//,
    /\/ioredis\//,
    /\/oauth4webapi\//,
  ];
  const sources = readdirSync(join(root, "src"), { recursive: true }).map((path) => `src/${String(path)}`);
  const inside = [...sources, ...packages.map(({ name }) => `node_modules/${name}/`)];

  it.each(late)("evaluates nothing that matches %s", (pattern) => {
    expect(start.files.filter((file) => pattern.test(file))).toEqual([]);
    expect(inside.some((path) => pattern.test(path))).toBe(true);
  });

  it("evaluates the HTTP shell", () => {
    expect(start.files).toContain("src/surfaces/http/http.ts");
  });

  it("loads none of Node's heavy modules", () => {
    const heavy =
      /^(?:crypto|zlib|tls|https|http2|worker_threads|perf_hooks|readline|inspector)$|undici|^internal\/navigator$/;
    expect(start.builtins.filter((name) => heavy.test(name))).toEqual([]);
    expect(start.builtins).toContain("http");
  });
});

// The record of the build's trial run of a command at its end.
describe("a short command", () => {
  const loadedBy = (line: string): Built["lines"][string] => lines[line] ?? { scripts: [], builtins: [] };
  const sizeOf = (line: string): number =>
    loadedBy(line).scripts.reduce((total, name) => total + (scripts[name] ?? 0), 0);

  it.each(["--version", "run json-formatter document.json", "check document.json"])(
    "%s does not load the server",
    (line) => {
      expect(loadedBy(line).scripts[0]).toBe("main");
      expect(loadedBy(line).scripts).not.toContain("main.serve");
    },
  );

  it.each(["--version", "run json-formatter document.json"])("%s loads none of Node's streams", (line) => {
    const { builtins } = loadedBy(line);
    expect(builtins.filter((name) => /^(?:stream|net|http|dns|tty|fs\/promises|crypto)/.test(name))).toEqual(
      [],
    );
    expect(builtins).toContain("fs");
  });

  it("evaluates no tool for the version, and for a tool its own scripts and zod", () => {
    expect(sizeOf("--version")).toBeLessThan(180_000);
    expect(loadedBy("run json-formatter document.json").scripts).toContain("main.json-formatter");
    expect(sizeOf("run json-formatter document.json")).toBeLessThan(400_000);
  });
});

describe("the code", () => {
  it("is less than 8.8 MB larger than with eight tools, libraries included", () => {
    // test/bench/startup.ts builds the executable with eight tools and compares the two.
    const withEightTools = 2_730_000;
    const all = Object.values(scripts).reduce((total, size) => total + size);
    expect(all).toBeGreaterThan(withEightTools);
    expect(all - withEightTools).toBeLessThan(8_800_000);
  });
});

describe("the bill of materials", () => {
  it("is CycloneDX 1.6 and lists every package with its licence, hash and dependencies", () => {
    execFileSync("node", [join(root, "config/build/sbom.ts")], { stdio: "pipe" });
    const bom = read("dist/penknife.cdx.json") as {
      components: {
        name: string;
        version: string;
        purl: string;
        licenses: object[];
        hashes?: object[];
        "bom-ref": string;
      }[];
      dependencies: { ref: string; dependsOn: string[] }[];
      [field: string]: unknown;
    };
    expect(bom).toMatchObject({
      bomFormat: "CycloneDX",
      specVersion: "1.6",
      version: 1,
      metadata: { component: { name: "penknife" } },
    });
    expect(bom["serialNumber"]).toMatch(
      /^urn:uuid:[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/,
    );
    expect(bom.components.map(({ name, version }) => `${name} ${version}`)).toEqual(
      packages.map(({ name, version }) => `${name} ${version}`),
    );
    const refs = new Set(bom.components.map((component) => component["bom-ref"]));
    expect(refs.size).toBe(packages.length);
    for (const { purl, licenses, hashes, name } of bom.components) {
      expect(purl).toMatch(/^pkg:(?:npm|generic)\/.+@\d/);
      expect(licenses).toHaveLength(1);
      if (name !== "node")
        expect(hashes).toEqual([{ alg: "SHA-512", content: expect.stringMatching(/^[0-9a-f]{128}$/) }]);
    }
    for (const { dependsOn } of bom.dependencies) for (const ref of dependsOn) expect(refs).toContain(ref);
    // If the executable contains two versions of a package, this finds the one that the dependent resolves.
    const named = (name: string): string => packages.find((each) => each.name === name)?.version ?? "";
    const [markdown, editor] = ["markdown-it", "@graphiql/react"].map((name) =>
      bom.dependencies.find(({ ref }) => ref === `pkg:npm/${name.replace("@", "%40")}@${named(name)}`),
    );
    expect(markdown?.dependsOn).toContain("pkg:npm/entities@4.5.0");
    expect(editor?.dependsOn).toContain(`pkg:npm/markdown-it@${named("markdown-it")}`);
  });
});
