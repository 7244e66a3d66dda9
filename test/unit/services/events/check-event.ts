import { expect } from "vitest";
import { describeEvents } from "../../../../src/services/events/describe.ts";
import jsonSchemaValidator from "../../../../src/tools/lint/json-schema-validator.ts";
import { runTool } from "../../tools/run-tool.ts";

/** Validators by type that allow no other member: anything that must not be published would be found. */
export const strictSchemas: ReadonlyMap<string, unknown> = new Map(
  describeEvents().map(({ type, schema }) => [type, closed(schema)]),
);

/** Whether an event as sent matches its schema and has no member that the schema does not name. */
export async function checkEvent(body: string): Promise<void> {
  const { type } = JSON.parse(body) as { type: string };
  const schema = strictSchemas.get(type);
  expect(schema, type).toBeDefined();
  const report = await runTool(jsonSchemaValidator, {
    data: body,
    schema: JSON.stringify(schema),
    formats: true,
  });
  expect(JSON.parse(report), body).toMatchObject({ valid: true });
}

function closed(schema: unknown): unknown {
  if (typeof schema !== "object" || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(closed);
  const members = Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, closed(value)]));
  return "properties" in schema ? { ...members, additionalProperties: false } : members;
}
