import { expect, test } from "vitest";
import { z } from "zod";
import { defineOperation, type Operation } from "../../../../src/operations/operation.ts";
import { createDerived } from "../../../../src/surfaces/graphql/schema/derived.ts";

const define = (more: Partial<Pick<Operation, "callers" | "kind" | "subject">>): Operation =>
  defineOperation({
    name: "things.do",
    summary: "Do it.",
    kind: "changes",
    callers: "owner",
    ...more,
    input: z.strictObject({ id: z.string(), account: z.string().optional(), person: z.string() }),
    output: z.strictObject({}),
    graphql: { name: "doThing", text: "Does it.", returns: "Thing" },
    run: async () => ({}),
  });

test.each<Parameters<typeof define>[0]>([
  { subject: { kind: "key", field: "id" } },
  { subject: { kind: "endpoint", field: "id" } },
  { subject: { kind: "owner", field: "account" } },
  {},
  { callers: "operator", subject: { kind: "session", field: "id" } },
])("%j is a field", (more) => {
  expect(createDerived([define(more)]).resolvers["Mutation"]).toHaveProperty("doThing");
});

// Otherwise an owner could do it to what belongs to others.
test.each<Parameters<typeof define>[0]>([
  { subject: { kind: "session", field: "id" } },
  { subject: { kind: "inbox", field: "id" } },
  { subject: { kind: "person", field: "person" } },
  { callers: "server", subject: { kind: "key", field: "id" } },
])("%j is none", (more) => {
  expect(() => createDerived([define(more)])).toThrow("things.do can be no derived field");
});
