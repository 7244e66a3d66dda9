import { readFileSync } from "node:fs";
import {
  buildClientSchema,
  getIntrospectionQuery,
  type IntrospectionQuery,
  lexicographicSortSchema,
  printSchema,
} from "graphql";
import { expect, it } from "vitest";
import { call, emptyFolder, serve } from "./harness.ts";

const kept = readFileSync(new URL("../../../docs/schema.graphql", import.meta.url), "utf8");

it("introspection, the served schema and docs/schema.graphql are equal", async () => {
  const folder = emptyFolder();
  const server = await serve(folder.path);
  try {
    const query = getIntrospectionQuery({ specifiedByUrl: true, inputValueDeprecation: true, oneOf: true });
    const { status, text } = await call(`${server.url}/graphql`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ query }),
    });
    const { data, errors } = JSON.parse(text) as { data: IntrospectionQuery; errors?: unknown };
    expect([status, errors]).toEqual([200, undefined]);
    // Introspection is in the order of definitions, the file in alphabetical order.
    const printed = `${printSchema(lexicographicSortSchema(buildClientSchema(data)))}\n`;
    const served = await call(`${server.url}/graphql/schema.graphql`);
    expect([printed === kept, served.text === kept]).toEqual([true, true]);
  } finally {
    await server.stop();
    folder.remove();
  }
});
