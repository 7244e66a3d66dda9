import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { peers } from "../../../config/peers.ts";
import { atHand, corpora } from "../corpora/corpus.ts";

interface Row {
  peer: string;
  name: string;
  state: string;
  slugs: string[];
}

/** The names on the pages of tools, which people search for, where the survey has others. */
const renamed: Readonly<Record<string, string>> = {
  "it-tools html-entities": "Escape HTML entities",
  "it-tools json-viewer": "JSON prettify and format",
  "it-tools sql-prettify": "SQL prettify and format",
  "it-tools url-encoder": "Encode/decode URL-formatted strings",
  "it-tools uuid-generator": "UUIDs generator",
  "it-tools yaml-viewer": "YAML prettify and format",
  "DevToys Hash": "Hash / Checksum",
  "DevToys Text Compare": "Text Comparer",
  "DevToys Escape": "Escape / Unescape",
  "DevToys Regex": "Regular Expression",
  "DevToys Analyzer": "Analyzer and Utilities",
};

/** Tools that the survey, which is older, knows as missing. */
const since: ReadonlySet<string> = new Set([
  "it-tools text-statistics",
  "CyberChef Entropy",
  "CyberChef XPath expression",
  "CyberChef CSS selector",
]);

/** Returns the tools of ours for a tool of a peer; "JSON (formatter)" is one of those for JSON. */
function ours({ peer, name }: Row): string[] {
  const known = toKey(renamed[`${peer} ${name}`] ?? name);
  return (peers[peer] ?? [])
    .filter(([each]) => toKey(each.replace(/ \(.*\)$/, "")) === known)
    .map(([, slug]) => slug);
}

const toKey = (name: string): string => name.toLowerCase().replaceAll(/[^a-z\d]+/g, "-");

test.skipIf(!atHand)("the tools of other programs are covered that the survey of peers calls covered", () => {
  const rows = readFileSync(new URL("../peers.tsv", corpora), "utf8")
    .trimEnd()
    .split("\n")
    .slice(1)
    .map((line): Row => {
      const [peer = "", name = "", , state = "", slugs = ""] = line.split("\t");
      return { peer, name, state, slugs: slugs.split(", ") };
    });
  expect(rows.length).toBeGreaterThan(150);
  const wrong: string[] = [];
  for (const row of rows) {
    const known = ours(row);
    const id = `${row.peer} ${row.name}`;
    if (row.state === "covered" && !known.some((slug) => row.slugs.includes(slug)))
      wrong.push(`${id} leads to ${known.join() || "nothing"} instead of ${row.slugs.join()}`);
    if (row.state === "missing" && known.length > 0 && !since.has(id)) wrong.push(`${id} is missing`);
  }
  expect(wrong).toEqual([]);
  const names = new Set(rows.map(({ peer, name }) => `${peer} ${name}`));
  expect([...Object.keys(renamed), ...since].filter((id) => !names.has(id))).toEqual([]);
});
