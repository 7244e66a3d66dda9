import { brotliCompressSync } from "node:zlib";

/** Contents of a build of the pages. */
export const sources: Readonly<Record<string, string>> = {
  "early-GGGGGGGGGGGGGGGG.js": "let zero = 0;\n",
  "app-AAAAAAAAAAAAAAAA.js": "let one = 1;\n".repeat(3000),
  "preact-DDDDDDDDDDDDDDDD.js": "let two = 2;\n".repeat(30),
  "app-BBBBBBBBBBBBBBBB.css": "body { margin: 0 }\n".repeat(500),
  "icon-CCCCCCCCCCCCCCCC.svg": "<svg xmlns='http://www.w3.org/2000/svg'/>",
};

const [early, script, imported, style, icon] = Object.keys(sources);
const manifest = JSON.stringify({
  early,
  script,
  preload: [imported],
  style,
  icon,
  sprite: "<svg class='sprite'></svg>",
  files: Object.keys(sources),
});

/** Contents of a build of the worker of tools. */
export const tabSources: Readonly<Record<string, string>> = {
  "tab-EEEEEEEEEEEEEEEE.json": '{"tools":{}}',
  "tab-loader-FFFFFFFFFFFFFFFF.js": "let three = 3;\n".repeat(300),
};

const [tabManifest, loader] = Object.keys(tabSources);
const tabFiles = JSON.stringify({ manifest: tabManifest, loader, tools: [], files: Object.keys(tabSources) });

/** Reads the assets of that build. */
export function read(name: string): Uint8Array | undefined {
  if (name === "web/files.json") return Buffer.from(manifest);
  if (name === "web/tab-files.json") return Buffer.from(tabFiles);
  const source = { ...sources, ...tabSources }[name.replace(/^web\/(.*)\.br$/, "$1")];
  return source === undefined ? undefined : brotliCompressSync(source);
}

/** The Accept headers of Chromium and of Firefox. */
export const browsers = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
] as const;

/** The Accept headers of programs. */
export const programs = [
  "application/json",
  "application/json, text/plain, */*",
  "application/problem+json, application/json;q=0.9",
  "text/html;q=0.5, application/json",
] as const;
