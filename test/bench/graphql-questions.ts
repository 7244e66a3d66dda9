import { document, type Post } from "./request.ts";

/** What all servers with the schema are asked. */
export interface Question {
  name: string;
  post: Post;
  /** Of the answer's data, what every server must say; `remaining` is of each its own. */
  data: unknown;
}

export const questions: readonly Question[] = [
  {
    name: "viewer",
    post: toPost("{ viewer { quota { remaining } } }"),
    data: { viewer: { quota: { remaining: 0 } } },
  },
  {
    name: "a tool",
    post: toPost("query ($input: JsonFormatterInput!) { run { jsonFormatter(input: $input) { result } } }", {
      input: { data: document },
    }),
    data: { run: { jsonFormatter: { result: JSON.stringify(JSON.parse(document), null, 2) } } },
  },
];

function toPost(query: string, variables?: object): Post {
  return { path: "/graphql", body: JSON.stringify({ query, ...(variables && { variables }) }) };
}
