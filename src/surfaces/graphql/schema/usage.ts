import { type UsageGroup, usageGroups, type UsageReport } from "../../../services/usage/report.ts";
import { parseSince, toInstant } from "../../../catalog/duration.ts";
import { accountCreatedAt } from "../previous-owner.ts";
import { accountOrAll, lookUp } from "../scope.ts";
import { given } from "./given.ts";
import type { Part } from "./part.ts";

/** Usage by the hour. The current quota is a field of the account. */
export const usage: Part = {
  typeDefs: `
extend type Query {
  "Runs of an account since it was created, summed up; for the operator, all accounts by default."
  usage(
    account: ID
    "A duration back from now such as \\"7d\\", at most 90 days, or an instant (RFC 3339)."
    since: String! = "24h"
    by: UsageGroup! = TOOL
  ): UsageReport
}

"What a line of a report stands for."
enum UsageGroup {
  ACCOUNT
  KEY
  TOOL
  HOUR
}

"What was run, added up."
type UsageReport {
  "The beginning of an hour."
  since: DateTime!
  "When the report was made."
  until: DateTime!
  "What a line stands for."
  by: UsageGroup!
  "The most used first; hours in their order."
  items: [UsageItem!]!
  "Requests of each hour since then."
  hours: [Long!]!
}

"One line of a report."
type UsageItem {
  "By account and by key. What was run without a key is of (free)."
  account: ID
  "By key; - for what was run without one."
  key: ID
  "By tool; - for what was refused before there was a tool."
  tool: ID
  "By hour: when it began."
  hour: DateTime
  "Those that were answered, refused and failed together."
  requests: Long!
  "Those that were answered."
  ok: Long!
  "Those that the caller has to change."
  refused: Long!
  "Those that failed on a fault of the server, or at a limit of it."
  failed: Long!
  "Requests beyond the quota, which are not among the others."
  limited: Long!
  "Of all bodies."
  inputBytes: Long!
  "Of all answers."
  outputBytes: Long!
  "Of running, all requests together."
  milliseconds: Long!
}
`,
  enums: { UsageGroup: usageGroups },
  resolvers: {
    Query: {
      async usage(_source, { account, since, by }: UsageArgs, context) {
        const whose = given({ account: accountOrAll(context, account) });
        // Usage is hourly; before the account's first hour the name may have had another owner.
        const now = context.deps.now();
        const from = parseSince(since, now, "/since");
        const beginning = await accountCreatedAt(context);
        return lookUp<UsageReport>(context, "usage.history", {
          ...whose,
          since: beginning > from ? toInstant(Math.min(beginning, now)) : since,
          by,
        });
      },
    },
  },
};

interface UsageArgs {
  account?: string | null;
  since: string;
  by: UsageGroup;
}
