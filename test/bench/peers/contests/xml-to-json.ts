import { SaxesParser } from "saxes";
import { toJson } from "../../../../src/lib/data/to-json.ts";
import { decodeXml } from "../../../../src/lib/xml/decode.ts";
import { readXml } from "../../../../src/lib/xml/read.ts";
import type { Contest } from "../../contest.ts";
import { xmlOf } from "../../tool-documents.ts";

const options = { attributes: "@", text: "#text", arrays: "auto", types: "none" } as const;
const toMeaning = (answer: unknown): unknown => JSON.parse(String(answer));

const contest: Contest = {
  data: Buffer.from(xmlOf(1_000_000)),
  toMeaning,
  contestants: [
    {
      name: "our readXml and toJson",
      used: true,
      run: (data) => toJson(readXml(decodeXml(data), options), 2),
      toMeaning,
    },
    {
      name: "saxes, objects and JSON.stringify",
      used: false,
      run: (data) => JSON.stringify(readObjects(data.toString()), null, 2),
      toMeaning,
    },
  ],
};

export default contest;

type Member = string | Members | (string | Members)[];
interface Members {
  [name: string]: Member;
}

/** The reader that a developer writes on saxes for documents of his own: no mixed content, no reserved names. */
function readObjects(document: string): Members {
  const root: Members = {};
  const open: { members: Members; text: string }[] = [{ members: root, text: "" }];
  const parser = new SaxesParser();
  parser.on("error", (error) => {
    throw error;
  });
  parser.on("opentag", ({ attributes }) => {
    const members: Members = {};
    for (const name in attributes) members[`@${name}`] = attributes[name] as string;
    open.push({ members, text: "" });
  });
  const addText = (text: string): void => {
    (open.at(-1) as { text: string }).text += text;
  };
  parser.on("text", addText);
  parser.on("cdata", addText);
  parser.on("closetag", ({ name }) => {
    const { members, text } = open.pop() as { members: Members; text: string };
    const bare = Object.keys(members).length === 0;
    if (!bare && text.trim() !== "") members["#text"] = text;
    const value = bare ? text : members;
    const outer = (open.at(-1) as { members: Members }).members;
    const known = outer[name];
    if (known === undefined) outer[name] = value;
    else if (Array.isArray(known)) known.push(value);
    else outer[name] = [known, value];
  });
  parser.write(document).close();
  return root;
}
