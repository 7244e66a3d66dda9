import type { JSX } from "preact";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { itemsOf, type Json, memberOf, readJson, textOf, toLine } from "./json.ts";
import { lookUp } from "./look-up.ts";
import parts from "./parts.css";
import { Card, jsonTab, Properties, type Property, toWords } from "./parts.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** SSH keys, a card each. */
export const sshView: View = {
  sheets: [glyphs, code, parts],
  tabs: ({ result }) => [{ ...keysTab, count: keysOf(result as string).length }, jsonTab],
};

const keysOf = (result: string): readonly Json[] => itemsOf(memberOf(readJson(result), "keys"));

const keysTab: ViewTab = {
  id: "keys",
  label: "Keys",
  Component: Keys,
  text: ({ result }) =>
    keysOf(result as string)
      .map((key) =>
        rowsOf(key)
          .map(({ label, text }) => `${label}\t${text}`)
          .join("\n"),
      )
      .join("\n\n"),
};

const words: Readonly<Record<string, string>> = { fingerprintSha256: "SHA-256", fingerprintMd5: "MD5" };

function rowsOf(key: Json): Property[] {
  if (key.kind !== "object") return [];
  return key.members.flatMap(([name, value]) => {
    if (value.kind === "word" && value.text === "null") return [];
    const text =
      value.kind === "array"
        ? value.items.map((item) => textOf(item) ?? toLine(item)).join("\n")
        : textOf(value);
    return text === undefined || text === "" ? [] : [{ label: lookUp(words, name) ?? toWords(name), text }];
  });
}

function Keys({ result, onGoTo }: ViewProps): JSX.Element {
  return (
    <div class="v-view">
      {keysOf(result as string).map((key, index) => {
        const line = Number(textOf(memberOf(key, "line")));
        const comment = textOf(memberOf(key, "comment")) ?? "";
        return (
          <Card
            title={comment === "" ? `Key ${index + 1}` : <Glyphs>{comment}</Glyphs>}
            note={<Glyphs>{textOf(memberOf(key, "type")) ?? ""}</Glyphs>}
            action={
              onGoTo === undefined ? null : (
                <button type="button" onClick={() => onGoTo(line, 1)}>
                  Line {line}
                </button>
              )
            }
            key={index}
          >
            <Properties rows={rowsOf(key)} />
          </Card>
        );
      })}
    </div>
  );
}
