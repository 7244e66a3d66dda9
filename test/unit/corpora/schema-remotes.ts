import { readCorpusFile } from "./corpus.ts";

/**
 * None of our tools fetches a schema: the documents that the suite expects at http://localhost:1234 are passed with the schema that refers
 * to them. Those of other drafts are left out.
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
