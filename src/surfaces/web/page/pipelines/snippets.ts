import { quote } from "../../../../lib/shell-words.ts";
import { type Asked, isSecret, keyOf, newLine, type Snippet, toVariable } from "../elsewhere/snippets.ts";
import { takesDocument } from "../tools/fields.ts";

/** Returns the calls of a pipeline for a terminal. The document is in `data.txt`, and secrets are variables. */
export function toPipelineSnippets(
  steps: readonly Pick<Asked, "definition" | "options">[],
  name: string,
  url: string,
): readonly Snippet[] {
  const [first] = steps;
  if (first === undefined) return [];
  const { definition } = first;
  const hasDocument = takesDocument(definition);
  const list = steps.map((step) => {
    const members = Object.entries(step.options).map(
      ([option, value]) =>
        `${JSON.stringify(option)}: ${isSecret(step.definition, option) ? `env.${toVariable(option)}` : JSON.stringify(value)}`,
    );
    const options = members.length === 0 ? "" : `, "with": {${members.join(", ")}}`;
    return `{"tool": ${JSON.stringify(step.definition.slug)}${options}}`;
  });
  const expression = `{${hasDocument ? '"data": $data, ' : ""}"steps": [${list.join(", ")}]}`;
  const curl = [
    `curl ${quote(`${url}/api/pipelines/run`)}`,
    "-H 'Content-Type: application/json' -H 'Accept: text/plain'",
    ...keyOf(definition),
    "-d @-",
  ].join(newLine);
  return [
    {
      title: "Terminal, on this server",
      text: `jq -n ${hasDocument ? "--rawfile data data.txt " : ""}${quote(expression)} | ${curl}`,
    },
    {
      title: "Terminal, without a server, with the saved file",
      text: `penknife run -p ${quote(`${name}.yaml`)}${hasDocument ? " data.txt" : ""}`,
    },
  ];
}
