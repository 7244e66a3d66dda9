import { execute, parse, validate } from "graphql";
import { describe, expect, test } from "vitest";
import { fieldsOf } from "../../../../src/catalog/fields.ts";
import { withJsonText } from "../../../../src/surfaces/graphql/schema/json-text.ts";
import {
  toEnumName,
  toFieldName,
  toName,
  toTypeName,
} from "../../../../src/surfaces/graphql/schema/names.ts";
import { createSchema } from "../../../../src/surfaces/graphql/schema/schema.ts";
import { isChosen } from "../../../support/cases.ts";
import { catalog, openTools } from "./tools-context.ts";

// The same over HTTP, beside REST and the command line, is in test/system/e2e/matrix.test.ts.
const { schema } = await createSchema(catalog);
const tools = (await catalog.all()).filter(({ slug }) => isChosen(slug));

async function run(
  source: string,
  variables: Record<string, unknown>,
): Promise<Record<string, { result: string }>> {
  const document = parse(source);
  expect(validate(schema, document)).toEqual([]);
  const [operation] = document.definitions;
  if (operation?.kind !== "OperationDefinition") throw new Error("A document must begin with its operation");
  const { context } = await openTools();
  const variableValues = withJsonText(operation, { variables, source: JSON.stringify(variables) }) ?? {};
  const { data, errors } = await execute({ schema, document, contextValue: context, variableValues });
  expect(errors).toBeUndefined();
  return (data?.["run"] ?? data) as Record<string, { result: string }>;
}

describe.each(tools.map((tool) => [tool.slug, tool] as const))("%s", (slug, tool) => {
  const results = Object.fromEntries(tool.examples.map(({ result }, index) => [`e${index}`, { result }]));
  const indexes = tool.examples.map((_, index) => index);

  test("returns the results of its examples from its field", async () => {
    const type = `${toTypeName(slug)}Input`;
    const head =
      fieldsOf(tool.input).length === 0 ? "" : `(${indexes.map((index) => `$i${index}: ${type}`).join(" ")})`;
    const given = (index: number): string => (head === "" ? "" : `(input: $i${index})`);
    const fields = indexes.map((index) => `e${index}: ${toFieldName(slug)}${given(index)} { result }`);
    const required = fieldsOf(tool.input).some((field) => field.required);
    const source = `query ${required ? head.replaceAll(type, `${type}!`) : head} { run { ${fields.join(" ")} } }`;
    const variables = Object.fromEntries(
      tool.examples.map(({ input }, index) => [`i${index}`, toVariable(tool, input)]),
    );
    expect(await run(source, variables)).toEqual(results);
  });

  test("returns them from runTool", async () => {
    const head = indexes.map((index) => `$i${index}: JSON!`).join(" ");
    const fields = indexes.map(
      (index) => `e${index}: runTool(slug: "${slug}", input: $i${index}) { result }`,
    );
    const variables = Object.fromEntries(tool.examples.map(({ input }, index) => [`i${index}`, input]));
    expect(await run(`mutation (${head}) { ${fields.join(" ")} }`, variables)).toEqual(results);
  });
});

/** The input of an example in the notation of a client of the typed field. */
function toVariable(tool: (typeof tools)[number], input: Record<string, unknown>): Record<string, unknown> {
  const enums = new Set(
    fieldsOf(tool.input).flatMap(({ name, values }) => (values === undefined ? [] : [name])),
  );
  const named = (value: unknown): unknown =>
    Array.isArray(value) ? value.map(named) : toEnumName(String(value));
  return Object.fromEntries(
    Object.entries(input).map(([name, value]) => [toName(name), enums.has(name) ? named(value) : value]),
  );
}
