import { readCorpusFile } from "./corpus.ts";

/**
 * No tool of ours fetches a schema: the documents that the suite supposes behind http://localhost:1234 come along
 * with the schema that refers to them. Those of the other drafts stay away.
 */
export function remotesFor(schema: string, draft: string): { schemas?: string } {
  if (!schema.includes("localhost:1234")) return {};
  remotes ??= Object.entries(JSON.parse(readCorpusFile("json-schema-remotes.json").toString()) as object);
  const wanted = remotes.filter(([url]) => {
    const [, folder = draft] = /^http:\/\/localhost:1234\/(draft[^/]+|v1)\//.exec(url) ?? [];
    return folder === draft || schema.includes(url);
  });
  return { schemas: JSON.stringify(Object.fromEntries(wanted)) };
}

let remotes: [string, unknown][] | undefined;
