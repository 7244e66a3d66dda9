import { append } from "../append.ts";
import { createBoundedFindings } from "../bounded-findings.ts";
import { DocumentFault } from "../fault.ts";
import type { Value } from "../data/value.ts";
import { createMatcher } from "../json-schema/patterns.ts";
import { load } from "../load.ts";
import { checkExamples } from "./examples.ts";
import { checkDiscriminators } from "./discriminators.ts";
import type { Grammar, Version } from "./grammar.ts";
import { checkOperations } from "./operations.ts";
import { checkReferences } from "./references.ts";
import { version2 } from "./version-2.ts";
import { checkVersion32 } from "./rules-3-2.ts";
import { versionOf } from "./version-of.ts";
import { version30, version31 } from "./version-3.ts";
import { version32 } from "./version-3-2.ts";
import { type ApiFinding, maxFindings, type Walk, walkDocument } from "./walk.ts";

const grammars: Record<Version, Grammar> = {
  "2.0": version2,
  "3.0": version30,
  "3.1": version31,
  "3.2": version32,
};

export interface ApiOptions {
  version: Version | "auto";
  /** Severity of examples that do not fit their schema. */
  examples: ApiFinding["severity"];
}

/** Validates an OpenAPI description (Swagger 2.0, OpenAPI 3.0, 3.1 and 3.2): at most 100 findings, errors rather than warnings. */
export async function validateOpenApi(
  document: Value,
  { version, examples }: ApiOptions,
): Promise<ApiFinding[]> {
  const found = versionOf(document);
  if (typeof found !== "string") return [found];
  const asked = version === "auto" ? found : version;
  if (asked !== found) {
    const pointer = found === "2.0" ? "/swagger" : "/openapi";
    return [
      {
        rule: "version",
        severity: "error",
        pointer,
        message: `The document is of version ${found}, not ${asked}. To accept either, set version to auto.`,
      },
    ];
  }
  const walk = walkDocument(grammars[found], found, document);
  const findings = [
    ...walk.findings,
    ...checkReferences(document, walk, found),
    ...checkOperations(document, walk, found),
    ...checkDiscriminators(document, walk, found),
    ...(found === "3.0" ? checkNullable(walk) : []),
    ...(found === "3.2" ? checkVersion32(document, walk) : []),
  ];
  // Examples are checked only if the schemas are valid.
  const sound =
    walk.findings.length === 0 &&
    !findings.some(({ rule }) => rule === "unresolved-ref" || rule === "ref-loop");
  if (sound) {
    const matches = createMatcher(await load("re2js"));
    append(findings, checkSchemas(document, walk, { version: found, examples, matches }));
  }
  const reported = createBoundedFindings<ApiFinding>(maxFindings);
  for (const finding of findings) reported.add(finding);
  return reported.list();
}

/** `nullable` adds null to the type of the same schema, and to no other (OpenAPI 3.0.3, Schema Object). */
function checkNullable({ places }: Walk): ApiFinding[] {
  return places
    .filter(({ kind, value }) => kind === "Schema" && value.get("nullable") === true && !value.has("type"))
    .map(({ pointer }) => ({
      rule: "nullable-type",
      severity: "warning",
      pointer: `${pointer}/nullable`,
      message: "nullable has no effect without type in the same schema; add type.",
    }));
}

function checkSchemas(...parameters: Parameters<typeof checkExamples>): ApiFinding[] {
  try {
    return checkExamples(...parameters);
  } catch (error) {
    if (!(error instanceof DocumentFault)) throw error;
    return [
      {
        rule: "schema",
        severity: "error",
        pointer: "",
        message: `A schema of the document is invalid: ${error.message}`,
      },
    ];
  }
}
