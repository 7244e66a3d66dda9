import type { CatalogTool } from "../../../catalog/catalog.ts";
import type { Operation } from "../../../operations/operation.ts";
import { accounts } from "./accounts.ts";
import { createCatalogue } from "./catalogue.ts";
import { core } from "./core.ts";
import { deliveries } from "./deliveries.ts";
import { createDerived } from "./derived.ts";
import { endpoints } from "./endpoints.ts";
import { inboxes } from "./inboxes.ts";
import { keys } from "./keys.ts";
import { operator } from "./operator.ts";
import type { Part } from "./part.ts";
import { sessions } from "./sessions.ts";
import { subscriptions } from "./subscriptions.ts";
import { createToolTypes, nameFields } from "./tool-types.ts";
import { usage } from "./usage.ts";
import { viewer } from "./viewer.ts";

/** The parts that do not depend on the installation. */
const own: readonly Part[] = [
  viewer,
  accounts,
  keys,
  usage,
  sessions,
  endpoints,
  deliveries,
  inboxes,
  operator,
  subscriptions,
];

/** Returns all parts of the schema for these tools and operations. */
export function createParts(
  tools: readonly CatalogTool[],
  operations: readonly Operation[],
): readonly Part[] {
  const fields = nameFields(tools);
  const parts = [createCatalogue(tools, fields), ...own, createDerived(operations)];
  const reserved = [core, ...parts].flatMap(({ typeDefs }) => typeNames(typeDefs));
  return [...parts, createToolTypes(tools, fields, reserved)];
}

const typeNames = (typeDefs: string): string[] =>
  Array.from(
    typeDefs.matchAll(/^(?:enum|input|interface|scalar|type|union) (\w+)/gm),
    ([, name]) => name as string,
  );
