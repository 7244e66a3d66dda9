/** Ordinary documents of about this many bytes, deterministic; the JSON one is in document.ts. */

/** Seven columns; a fifth of the records have a quoted field with a delimiter, a quote or a line end in it. */
export function csvOf(bytes: number): string {
  return fill("id,name,email,city,balance,joined,note\n", "", bytes, (id) => {
    const note = [plainNote, '"He said ""yes"", twice"', plainNote, plainNote, '"two\nlines"'][id % 5];
    return `${id},Customer ${id},customer.${id}@example.com,${cityOf(id)},${balanceOf(id)},${dateOf(id)},${note}\n`;
  });
}

/** Indented elements with attributes, references and occasional comments and CDATA sections. */
export function xmlOf(bytes: number): string {
  return fill('<?xml version="1.0" encoding="UTF-8"?>\n<customers>\n', "</customers>\n", bytes, (id) => {
    const note = id % 7 === 0 ? "<![CDATA[if (a < b && b < c)]]>" : "said &quot;yes&quot; &amp; left";
    return `  <customer id="${id}" active="${id % 2 === 0}">
    <name>Customer ${id}</name>
    <city code="${id % 90}">${cityOf(id)}</city>
    <balance currency="EUR">${balanceOf(id)}</balance>
    <tag>new</tag>
    <tag>vip</tag>
    <note>${note}</note>
${id % 10 === 0 ? "    <!-- checked by hand -->\n" : ""}  </customer>
`;
  });
}

/** A text and what became of it: of each hundred lines one is changed, of each thousand two are gone and two are new. */
export function textsOf(bytes: number): { before: string; after: string } {
  const lines: string[] = [];
  let size = 0;
  while (size < bytes) {
    const line = lineOf(lines.length);
    lines.push(line);
    size += line.length;
  }
  const after = lines.flatMap((line, at) => {
    if (at % 1000 === 500 || at % 1000 === 501) return [];
    if (at % 1000 === 800) return [line, `  log(${at}, "entered");\n`, "\n"];
    return [at % 100 === 50 ? line.replace("value", "renamed").replace("\n", " // changed\n") : line];
  });
  return { before: lines.join(""), after: after.join("") };
}

/** Source text has lines of its own and lines that occur everywhere. */
function lineOf(at: number): string {
  switch (at % 6) {
    case 0:
      return `function handle${at}(value, index) {\n`;
    case 4:
      return "}\n";
    case 5:
      return "\n";
    default:
      return `  const value${at} = compute(value, ${(at * 7919) % 10_007}, "item ${at % 300}");\n`;
  }
}

/** A JSON Schema (2020-12) that the records of document.ts satisfy. */
export const recordsSchema = JSON.stringify({
  $schema: "https://json-schema.org/draft/2020-12/schema",
  type: "array",
  items: { $ref: "#/$defs/record" },
  $defs: {
    record: {
      type: "object",
      required: ["id", "name", "balance", "address"],
      properties: {
        id: { type: "integer", minimum: 1 },
        name: { type: "string", minLength: 1, maxLength: 100, pattern: "^Customer [0-9]+$" },
        city: { enum: ["Lisbon", "Zürich"] },
        balance: { type: "number", minimum: 0 },
        tags: { type: "array", maxItems: 10, uniqueItems: true, items: { type: "string" } },
        address: { $ref: "#/$defs/address" },
        note: { type: ["string", "null"] },
        active: { type: "boolean" },
      },
      additionalProperties: false,
    },
    address: {
      type: "object",
      required: ["street", "number"],
      properties: {
        street: { type: "string" },
        number: { type: "integer", minimum: 0 },
        door: { anyOf: [{ type: "null" }, { type: "integer" }] },
      },
    },
  },
});

const plainNote = "a note without anything in it";

const cityOf = (id: number): string => (id % 3 === 0 ? "Zürich" : "Lisbon");
const balanceOf = (id: number): string => ((id * 137) / 100).toFixed(2);
const dateOf = (id: number): string => `20${10 + (id % 16)}-0${1 + (id % 9)}-${10 + (id % 19)}`;

function fill(head: string, tail: string, bytes: number, recordOf: (id: number) => string): string {
  const parts = [head];
  let size = head.length + tail.length;
  for (let id = 1; size < bytes; id++) {
    const record = recordOf(id);
    parts.push(record);
    size += Buffer.byteLength(record);
  }
  return `${parts.join("")}${tail}`;
}
