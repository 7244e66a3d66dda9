import { findImage } from "../views/image-type.ts";
import { isSvg } from "../views/shape.ts";

/** Saves a result as a file. */
export function download(name: string, content: string | Uint8Array<ArrayBuffer>): void {
  const url = URL.createObjectURL(new Blob([content], { type: "application/octet-stream" }));
  const link = Object.assign(document.createElement("a"), { href: url, download: name });
  link.click();
  // The browser reads it after the click.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}

const endings: readonly (readonly [slug: RegExp, ending: string])[] = [
  [/-to-(json|yaml|toml|csv|xml|ndjson|env)$/, ""],
  [/^(json|yaml|xml|sql)-/, ""],
  [/-differ$/, "diff"],
];

/** Returns a file name for the result of a tool. */
export function nameResult(slug: string, result: string | Uint8Array): string {
  if (typeof result !== "string") return `${slug}.${findImage(result)?.ending ?? "bin"}`;
  if (isSvg(result)) return `${slug}.svg`;
  for (const [pattern, ending] of endings) {
    const found = pattern.exec(slug);
    if (found !== null) return `${slug}.${ending === "" ? found[1] : ending}`;
  }
  return `${slug}.txt`;
}
