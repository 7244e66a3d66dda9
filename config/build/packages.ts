import { readFileSync, readdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { missingText } from "./licences.ts";

/** A third-party package with code in the executable. */
export interface Package {
  name: string;
  version: string;
  /** Folder of the installation, relative to the repository; "" for Node. Two versions of one package have two folders. */
  path: string;
  /** SPDX expression. */
  license: string;
  /** Licence texts that must be distributed with the code. */
  texts: string[];
  /** Names of its dependencies. */
  dependencies: string[];
  homepage?: string;
}

/** Returns the packages of the given files, sorted by name; our own files belong to none. */
export function packagesOf(files: Iterable<string>): Package[] {
  const folders = new Set<string>();
  for (const file of files) {
    const folder = /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+(?=\/)/.exec(file)?.[0];
    if (folder !== undefined) folders.add(folder);
  }
  const found = [...folders].map((folder) => readPackage(folder));
  return found.toSorted((a, b) => (a.name + a.version < b.name + b.version ? -1 : 1));
}

/** Node itself. Its licence file contains those of V8, OpenSSL, ICU and its other parts. */
export function nodePackage(): Package {
  const folder = dirname(dirname(process.execPath));
  return {
    name: "node",
    version: process.versions.node,
    path: "",
    license: "MIT",
    texts: [readFileSync(join(folder, "LICENSE"), "utf8")],
    dependencies: [],
    homepage: "https://nodejs.org/",
  };
}

/** All licence texts as one document for `penknife licenses`. */
export function toLicenseText(packages: readonly Package[]): string {
  const sections = packages.map(({ name, version, license, texts }) => {
    const line = "-".repeat(80);
    return `${line}\n${name} ${version} (${license})\n${line}\n\n${texts.map((text) => text.trim()).join("\n\n")}\n`;
  });
  return `penknife contains these works of others, each under its own licence.\n\n${sections.join("\n")}`;
}

function readPackage(folder: string): Package {
  const { name, version, license, dependencies, homepage } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8"),
  ) as { name: string; version: string; license?: string; dependencies?: object; homepage?: string };
  const texts = readTexts(folder);
  const missing = missingText(name, license ?? "NONE");
  return {
    name,
    version,
    path: folder.slice(folder.indexOf("/node_modules/") + 1),
    license: license ?? "NONE",
    texts: texts.length === 0 && missing !== undefined ? [missing] : texts,
    dependencies: Object.keys(dependencies ?? {}),
    ...(homepage !== undefined && { homepage }),
  };
}

function readTexts(folder: string): string[] {
  const own = readdirSync(folder)
    .filter((file) => /^(?:licen[cs]e|copying|notice)/i.test(file))
    .toSorted()
    .map((file) => readFileSync(join(folder, file), "utf8"));
  // h3 and related packages bundle third-party code and keep its licences in this file.
  const bundled = readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /(?:^|\/)THIRD-PARTY-LICENSES\.md\.gz$/.test(file))
    .toSorted()
    .map((file) => gunzipSync(readFileSync(join(folder, file))).toString());
  return [...own, ...bundled];
}
