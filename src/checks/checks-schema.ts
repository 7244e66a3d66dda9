import type { CatalogTool } from "../catalog/catalog.ts";
import { fileFields } from "../catalog/file-fields.ts";
import { levels } from "./severity.ts";
import { inputSchemaOf, jsonFieldsOf } from "../catalog/fields.ts";

type Schema = Record<string, unknown>;

/**
 * Returns the JSON Schema (2020-12) of `penknife.checks.yaml`, for editors and validators. It has the options of each tool;
 * the patterns and the files that options name are beyond it.
 */
export function createChecksSchema(tools: readonly CatalogTool[]): Schema {
  const checkable = tools.filter(({ check }) => check !== undefined);
  return {
    $schema: "https://json-schema.org/draft/2020-12/schema",
    title: "penknife.checks.yaml",
    description: "The checks of a repository, which penknife check runs.",
    type: "object",
    required: ["checks"],
    additionalProperties: false,
    properties: {
      checks: {
        description:
          "What is checked. A file that several entries are for is checked by each, in their order.",
        type: "array",
        minItems: 1,
        items: { $ref: "#/$defs/check" },
      },
      exclude: {
        description: "Files and folders that nothing checks.",
        $ref: "#/$defs/patterns",
      },
      baseline: {
        description: "The file of known findings, relative to the folder of this file.",
        type: "string",
        minLength: 1,
      },
    },
    $defs: {
      patterns: {
        description:
          "One pattern or several, relative to the folder of the file; ** is any number of folders, and of patterns that match, the last decides: one that begins with ! takes files out again.",
        anyOf: [pattern, { type: "array", items: pattern }],
      },
      check: {
        type: "object",
        required: ["tool", "files"],
        additionalProperties: false,
        properties: {
          tool: {
            description: "The tool that checks the files.",
            enum: checkable.map(({ slug }) => slug),
          },
          files: {
            description: "The files that it checks.",
            anyOf: [pattern, { type: "array", minItems: 1, items: pattern }],
          },
          exclude: { description: "Files and folders that it does not check.", $ref: "#/$defs/patterns" },
          with: {
            description:
              "The options of the tool. A second document can be a file: schemaFile in the place of schema.",
            type: ["object", "null"],
          },
          severity: {
            description: "The severity of its findings; warnings do not fail.",
            enum: ["error", "warning"],
          },
          rules: {
            description: "The severity of single rules, by their names; off leaves their findings out.",
            type: "object",
            additionalProperties: { enum: [...levels] },
          },
          required: {
            description: "Whether it is an error that there is no file for it; otherwise it is a warning.",
            type: "boolean",
            default: false,
          },
          includeIgnored: {
            description: "Whether it checks files that Git ignores, too.",
            type: "boolean",
            default: false,
          },
        },
        allOf: checkable.map(toCondition),
      },
    },
  };
}

const pattern = { type: "string", minLength: 1 };

/** The options of one tool: its schema without the document, with a file beside each field that may be read from one. */
function toCondition(tool: CatalogTool): Schema {
  const { properties, required = [] } = inputSchemaOf(tool.input) as {
    properties: Record<string, Schema>;
    required?: string[];
  };
  const kinds = jsonFieldsOf(tool.input);
  const files = fileFields(tool).map(({ name }) => name);
  const options = Object.entries(properties).flatMap(([name, schema]): [string, Schema][] => {
    if (name === "data") return [];
    const own = kinds.has(name) ? withoutType(schema) : schema;
    if (!files.includes(name)) return [[name, own]];
    const description = `The file with the value of ${name}, relative to this file.`;
    return [
      [name, own],
      [`${name}File`, { description, type: "string", minLength: 1 }],
    ];
  });
  // Old versions are the other documents of a check with --against.
  const needed = required.filter(
    (name) => name !== "data" && (name !== "other" || tool.against === undefined),
  );
  const twins = files.map((name) => ({ not: { required: [name, `${name}File`] } }));
  const either = needed.map((name) =>
    files.includes(name)
      ? { anyOf: [{ required: [name] }, { required: [`${name}File`] }] }
      : { required: [name] },
  );
  const rules = [...twins, ...either];
  return {
    if: { properties: { tool: { const: tool.slug } }, required: ["tool"] },
    // eslint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
    then: {
      ...(needed.length > 0 && { required: ["with"] }),
      properties: {
        with: {
          properties: Object.fromEntries(options),
          additionalProperties: false,
          ...(rules.length > 0 && { allOf: rules }),
        },
      },
    },
  };
}

/** A field that takes JSON as text takes the value itself, too. */
function withoutType({ description }: Schema): Schema {
  return { description };
}
