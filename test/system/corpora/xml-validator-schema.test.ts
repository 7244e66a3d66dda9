import { expect, test } from "vitest";
import type { Report } from "../../../src/catalog/report.ts";
import validator from "../../../src/tools/lint/xml-validator.ts";
import { atHand, readCorpus } from "../../unit/corpora/corpus.ts";
import { validate } from "../../unit/tools/lint/xml-schemas.ts";
import { runTool } from "../../unit/tools/run-tool.ts";

test.runIf(atHand)(
  "libxml2 reads what is well-formed, with namespaces and without a DOCTYPE, in xml-conformance",
  async () => {
    const anything = `<grammar xmlns="http://relaxng.org/ns/structure/1.0"><start><ref name="any"/></start><define name="any"><element><anyName/><zeroOrMore><choice><attribute><anyName/></attribute><text/><ref name="any"/></choice></zeroOrMore></element></define></grammar>`;
    let count = 0;
    for (const { input } of readCorpus("xml-conformance")) {
      const { data } = input;
      if (typeof data !== "string" || data.includes("<!DOCTYPE")) continue;
      const { valid } = JSON.parse(await runTool(validator, { data, namespaces: true })) as Report;
      if (!valid) continue;
      expect(await validate(data, anything), data).toEqual({ valid: true, errors: [] });
      count++;
    }
    expect(count).toBeGreaterThan(20);
  },
);
