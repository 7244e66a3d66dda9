import type { Part } from "./part.ts";

/** Types that every part may use. */
export const core: Part = {
  typeDefs: `
"A point in time: RFC 3339, in UTC, such as 2026-11-21T12:00:00.000Z. Other offsets are understood."
scalar DateTime @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc3339")

"Any JSON value. What comes in keeps every digit of its numbers, the order of its members and its escapes."
scalar JSON @specifiedBy(url: "https://www.rfc-editor.org/rfc/rfc8259")

"An integer from -(2^53 - 1) to 2^53 - 1, written as a number."
scalar Long

"Where a list that comes in pieces goes on."
type PageInfo {
  "Whether there is more behind the last node."
  hasNextPage: Boolean!
  "What \`after\` is given to go on; null where there is no node."
  endCursor: ID
}
`,
  resolvers: {},
};
