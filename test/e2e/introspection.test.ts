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

const kept = readFileSync(new URL("../../docs/schema.graphql", import.meta.url), "utf8");

it("what introspection tells a client, what is served and what is kept are one schema", async () => {
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
    // Introspection has the order of the definitions, the file the alphabet's.
    const told = `${printSchema(lexicographicSortSchema(buildClientSchema(data)))}\n`;
    const served = await call(`${server.url}/graphql/schema.graphql`);
    expect([told === kept, served.text === kept]).toEqual([true, true]);
  } finally {
    await server.stop();
    folder.remove();
  }
});
