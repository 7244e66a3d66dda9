import { type UsageGroup, usageGroups } from "../../../services/usage/report.ts";
import { parseSince, toInstant } from "../../../catalog/duration.ts";
import { refused } from "../../../catalog/refused.ts";
import { accountCreatedAt } from "../previous-owner.ts";
import { accountOrAll, lookUp } from "../scope.ts";
import { given } from "./given.ts";
import { findKey } from "./keys.ts";
import type { Part } from "./part.ts";

/** Usage by the hour. The current quota is a field of the account. */
export const usage: Part = {
  typeDefs: `
extend type Query {
  "Usage of an account since it was created; for the operator, of all accounts by default."
  usage(
    account: ID
    "Only requests with this key."
    key: ID
    "The start: a duration before now such as \\"7d\\", at most 90 days, a date, or an instant (RFC 3339)."
    since: String! = "24h"
    "The end, written as the start is; now by default."
    until: String
    by: UsageGroup! = TOOL
  ): UsageReport
}

"The grouping of a report."
enum UsageGroup {
  ACCOUNT
  KEY
  TOOL
  HOUR
  "A day in UTC."
  DAY
}

"A usage report."
type UsageReport {
  "The beginning of the report, a whole hour."
  since: DateTime!
  "The end of the report; when it was made, by default."
  until: DateTime!
  "The grouping."
  by: UsageGroup!
  "Most used first; hours and days in ascending order, those without use included."
  items: [UsageItem!]!
  "Requests of each hour since the beginning."
  hours: [Long!]!
}

"One line of a report."
type UsageItem {
  "Set when grouped by account or key; (free) for calls without a key."
  account: ID
  "Set when grouped by key; - for calls without a key."
  key: ID
  "Set when grouped by tool; - for calls refused before their tool was known."
  tool: ID
  "Set when grouped by hour: its beginning."
  hour: DateTime
  "Set when grouped by day: its beginning, midnight in UTC."
  day: DateTime
  "Requests answered, refused and failed together."
  requests: Long!
  "Requests answered."
  ok: Long!
  "Requests refused because of their input."
  refused: Long!
  "Requests that failed because of the server or one of its limits."
  failed: Long!
  "Requests beyond the quota, which the other counts do not include."
  limited: Long!
  "Bytes of all request bodies."
  inputBytes: Long!
  "Bytes of all answers."
  outputBytes: Long!
  "Run time of all requests."
  milliseconds: Long!
}
`,
  enums: { UsageGroup: usageGroups },
  resolvers: {
    Query: {
      async usage(_source, { account, key, since, until, by }: UsageArgs, context) {
        const whose = given({ account: accountOrAll(context, account), key, until });
        if (key != null) await findKey(context, key);
        // Usage is hourly; before the account's first hour the name may have had another owner.
        const now = context.deps.runtime.now();
        const from = parseSince(since, now, "/since");
        if (until != null && parseSince(until, now, "/until") <= from)
          throw refused("/until", `until must be after since (${toInstant(from)}), got ${until}.`);
        const beginning = await accountCreatedAt(context);
        // All groupings at once: a page asks for several of one period.
        const reports = await lookUp(context, "usage.reports", {
          ...whose,
          since: beginning > from ? toInstant(Math.min(beginning, now)) : since,
        });
        return reports[by];
      },
    },
  },
};

interface UsageArgs {
  account?: string | null;
  key?: string | null;
  since: string;
  until?: string | null;
  by: UsageGroup;
}
