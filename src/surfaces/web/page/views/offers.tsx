import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import code from "./code/code.css";
import glyphs from "./glyphs.css";
import { Glyphs } from "./glyphs.tsx";
import { itemsOf, type Json, memberOf, readJson, textOf, toLine } from "./json.ts";
import parts from "./parts.css";
import { Card, jsonTab } from "./parts.tsx";
import type { View, ViewProps, ViewTab } from "./view.ts";

/** Tools that fit a text, the best first, each with the reason. */
export const offersView: View = {
  sheets: [glyphs, code, parts],
  tabs: ({ result }) => [
    { ...offersTab, count: itemsOf(memberOf(readJson(result as string), "items")).length },
    jsonTab,
  ],
};

const offersTab: ViewTab = {
  id: "offers",
  label: "Offers",
  Component: Offers,
  text: ({ result }) =>
    itemsOf(memberOf(readJson(result as string), "items"))
      .map((item) => `${textOf(memberOf(item, "tool"))}\t${textOf(memberOf(item, "reason"))}`)
      .join("\n"),
};

function Offers({ result }: ViewProps): JSX.Element {
  const items = itemsOf(memberOf(readJson(result as string), "items"));
  if (items.length === 0) return <p class="v-view muted">Nothing fits but the tools for any text.</p>;
  return (
    <div class="v-view">
      {items.map((item, index) => (
        <Offer item={item} key={index} />
      ))}
    </div>
  );
}

function Offer({ item }: { item: Json }): JSX.Element {
  const get = (name: string): string => textOf(memberOf(item, name)) ?? "";
  const steps = itemsOf(memberOf(item, "steps"));
  const part = memberOf(item, "part");
  const needs = itemsOf(memberOf(item, "needs")).map((one) => textOf(one) ?? toLine(one));
  const root = useSignal("./");
  useLayoutEffect(() => void (root.value = document.documentElement.dataset["root"] ?? "./"), []);
  return (
    <Card
      title={<Glyphs>{get("description")}</Glyphs>}
      note={<Glyphs>{`${get("kind")} · ${get("confidence")}`}</Glyphs>}
      action={
        <a href={`${root.value}tools/${encodeURIComponent(get("tool"))}`}>
          Open <Glyphs>{get("tool")}</Glyphs>
        </a>
      }
    >
      <div class="in">
        <Glyphs>{get("reason")}</Glyphs>
        {part === undefined || part.kind !== "object" ? null : (
          <p class="muted small">
            {part.members.map(([name, value]) => `${name} ${textOf(value) ?? ""}`).join(", ")}
          </p>
        )}
        <p class="muted small">
          As <Glyphs>{`${get("field")}${needs.length === 0 ? "" : `, with ${needs.join(", ")}`}`}</Glyphs>
          {steps.length < 2 ? "" : `, in ${steps.length} steps`}
          {steps.map((step, index) => {
            const fields = memberOf(step, "with");
            return (
              <span key={index}>
                {" "}
                ›{" "}
                <code>
                  <Glyphs>{textOf(memberOf(step, "tool")) ?? ""}</Glyphs>
                </code>
                {fields?.kind === "object" && fields.members.length > 0 ? (
                  <>
                    {" "}
                    <Glyphs>
                      {fields.members
                        .map(([name, value]) => `${name} ${textOf(value) ?? toLine(value)}`)
                        .join(", ")}
                    </Glyphs>
                  </>
                ) : null}
              </span>
            );
          })}
        </p>
      </div>
    </Card>
  );
}
