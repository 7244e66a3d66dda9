import { createHash } from "node:crypto";
import { brotliDecompressSync, gzipSync } from "node:zlib";
import { beforeAll, describe, expect, it } from "vitest";
import type { BrowserFiles } from "../../../config/build/browser.ts";
import { buildWeb } from "../../../config/build/web.ts";
import { cache, cachedOf } from "./cache.ts";

describe("the bundle of the pages", () => {
  let made: BrowserFiles;
  let manifest: { script: string; preload: string[]; style: string; icon: string; files: string[] };
  const textOf = (name: string): string =>
    brotliDecompressSync(made.assets[`web/${name}.br`] ?? "").toString();
  /** A script and those that it imports at once, as opposed to those that it may load later. */
  function withImports(name: string, found = new Set<string>()): Set<string> {
    if (found.has(name)) return found;
    found.add(name);
    for (const [, imported = ""] of textOf(name).matchAll(/\b(?:from|import)\s*["']\.\/([^"']+)["']/g))
      withImports(imported, found);
    return found;
  }
  beforeAll(async () => {
    made = await buildWeb(cache);
    manifest = JSON.parse(Buffer.from(made.assets["web/files.json"] ?? "").toString()) as typeof manifest;
  });

  it("is scripts, a style sheet and an icon, with hashes in their names, and a list of them", () => {
    expect(manifest.files).toContain(manifest.script);
    expect(Object.keys(made.assets).toSorted()).toEqual(
      ["web/files.json", ...manifest.files.map((name) => `web/${name}.br`)].toSorted(),
    );
    for (const name of manifest.files) expect(name).toMatch(/^[a-z-]+-[\w-]{16}\.(?:js|css|svg)$/);
    const hash = createHash("sha256").update(textOf(manifest.style)).digest("base64url").slice(0, 16);
    expect(manifest.style).toBe(`app-${hash}.css`);
  });

  it("is small: what every page loads has at most 30 KB of script and 10 KB of style", () => {
    const bytesOf = (name: string): number => gzipSync(textOf(name), { level: 9 }).length;
    const loaded = withImports(manifest.script);
    expect([...loaded].toSorted()).toEqual([manifest.script, ...manifest.preload].toSorted());
    const scripts = [...loaded].reduce((total, name) => total + bytesOf(name), 0);
    expect(scripts).toBeGreaterThan(1000);
    expect(scripts).toBeLessThanOrEqual(30_000);
    expect(bytesOf(manifest.style)).toBeGreaterThan(500);
    expect(bytesOf(manifest.style)).toBeLessThanOrEqual(10_000);
  });

  it("is small: a page of the settings has at most 60 KB of script besides", () => {
    const shell = withImports(manifest.script);
    const pages = manifest.files.filter((name) =>
      /^(?:accounts|audit|configuration|doctor|events|inboxes|keys|sessions|usage|webhooks)-.*\.js$/.test(
        name,
      ),
    );
    // Other modules are called keys, too.
    expect(new Set(pages.map((name) => name.slice(0, name.indexOf("-")))).size).toBe(10);
    for (const page of pages) {
      const own = [...withImports(page)].filter((name) => !shell.has(name));
      const bytes = own.reduce((total, name) => total + gzipSync(textOf(name), { level: 9 }).length, 0);
      expect(bytes).toBeLessThanOrEqual(60_000);
    }
  });

  it("neither evaluates text as code nor creates style elements, which the pages' policy would refuse", () => {
    for (const name of manifest.files.filter((file) => file.endsWith(".js"))) {
      expect(textOf(name)).not.toMatch(/new Function\b|(?<![\w.$])eval\(/);
      // CodeMirror would create one in a document; in the shadow root where it is shown, it adopts a sheet.
      if (!name.startsWith("codemirror-"))
        expect(textOf(name)).not.toMatch(/createElement\((["'`])style\1\)/);
    }
  });

  it("has an editor of at most 120 KB, which no page loads before its first paint", () => {
    const [editor = ""] = manifest.files.filter((name) => name.startsWith("code-view-"));
    const [library = ""] = manifest.files.filter((name) => name.startsWith("codemirror-"));
    const bytes = [editor, library].reduce(
      (total, name) => total + gzipSync(textOf(name), { level: 9 }).length,
      0,
    );
    expect(bytes).toBeGreaterThan(20_000);
    expect(bytes).toBeLessThanOrEqual(120_000);
    for (const name of manifest.files.filter((one) => /^(?:app|home|tool)-.*\.js$/.test(one)))
      for (const part of [editor, library]) expect([...withImports(name)]).not.toContain(part);
  });

  it("loads nothing of other origins", () => {
    expect(textOf(manifest.style)).not.toMatch(/@font-face|@import|url\(/);
    expect(textOf(manifest.icon)).not.toMatch(/href|<script|url\(/);
    expect(textOf(manifest.style)).not.toContain("/*");
  });

  it("lists the packages that it contains", () => {
    for (const name of ["preact", "@preact/signals", "@preact/signals-core"])
      expect(made.files.some((file) => file.includes(`/node_modules/${name}/`))).toBe(true);
  });

  it("is built once for the same sources", async () => {
    const before = cachedOf("web");
    expect(before).toHaveLength(1);
    const again = await buildWeb(cache);
    expect(again.files).toEqual(made.files);
    expect(Object.keys(again.assets)).toEqual(Object.keys(made.assets));
    expect(cachedOf("web")).toEqual(before);
  });
});
