import { expect, test } from "vitest";
import { describeEvents } from "../../../../src/services/events/describe.ts";
import { eventTypes } from "../../../../src/services/events/types.ts";
import { checkEvent } from "./check-event.ts";

const events = describeEvents();

test("every type is described, in the order of the list", () => {
  expect(events.map(({ type }) => type)).toEqual([...eventTypes]);
  expect(eventTypes.length).toBeGreaterThan(0);
});

test.each(events)("$type: the example matches its schema, which names every member", async (event) => {
  expect(event.description).toMatch(/^[A-Z].*\.$/s);
  await checkEvent(JSON.stringify(event.example));
});

test.each(events)("$type: a missing member or another type does not match the schema", async (event) => {
  const example = event.example as Record<string, unknown>;
  for (const name of Object.keys(example)) {
    const { [name]: _gone, ...rest } = example;
    if (name === "type") continue;
    await expect(checkEvent(JSON.stringify(rest)), name).rejects.toThrow("to match object");
  }
  const data = example["data"] as Record<string, unknown>;
  for (const name of Object.keys(data)) {
    const { [name]: _gone, ...rest } = data;
    await expect(checkEvent(JSON.stringify({ ...example, data: rest })), name).rejects.toThrow(
      "to match object",
    );
  }
});

test("a receiver's validation accepts members that a later release adds", () => {
  expect(JSON.stringify(events)).not.toContain("additionalProperties");
});
