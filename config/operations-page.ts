import { writeFileSync } from "node:fs";
import type { Operation } from "../src/operations/operation.ts";
import { loadOperations } from "../src/operations/index.ts";

/** Returns docs/administration.md: every operation, with its command and its field of GraphQL. */
export function operationsPage(operations: readonly Operation[]): string {
  const groups = Map.groupBy(operations, ({ name }) => name.split(".")[0] as string);
  const sections = Array.from(groups, ([subject, members]) => `## ${subject}\n\n${toTable(members)}`);
  return `${[
    "# Operations of the administration",
    "What an operator or the owner of an account can do, by the names that the audit trail has. *Owner* means the owner of an account, for that account alone, and the operator for every account. " +
      "What changes something or closes access has two lines in the audit trail, which `penknife admin audit` and `auditTrail` show. " +
      "What closes access is carried out even on a full disk. `make docs` writes this page from the definitions in `src/operations`.",
    ...sections,
  ].join("\n\n")}\n`;
}

function toTable(operations: readonly Operation[]): string {
  const rows = operations.map(({ name, summary, kind, callers, command, graphql, byHand, events = [] }) => {
    const line = command === undefined ? byHand?.command : name.replace(".", " ");
    const field = graphql?.name ?? byHand?.field;
    const cells = [
      `\`${name}\``,
      summary,
      kind,
      callers,
      line === undefined ? "" : `\`penknife admin ${line}\``,
      field === undefined ? "" : `\`${field}\``,
      events.map((type) => `\`${type}\``).join(", "),
    ];
    return `| ${cells.map((cell) => cell.replaceAll("|", "\\|")).join(" | ")} |`;
  });
  return `| operation | what | kind | who | command | GraphQL | events |\n|---|---|---|---|---|---|---|\n${rows.join("\n")}`;
}

if (import.meta.main)
  writeFileSync(
    new URL("../docs/administration.md", import.meta.url),
    operationsPage(await loadOperations()),
  );
