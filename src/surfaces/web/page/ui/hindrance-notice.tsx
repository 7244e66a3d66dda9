import type { JSX } from "preact";
import type { Graph, Hindrance } from "../graph.ts";
import { toSignIn } from "../return-link.ts";

const messages: Readonly<Record<Exclude<Hindrance, "" | "signed-out">, string>> = {
  quota:
    "The requests of this session are used up for this hour. This page goes on when the next hour begins.",
  away: "The server does not answer. This page shows what it knew last, and goes on when the server is back.",
};

/** Says why a page is not up to date. */
export function HindranceNotice({ graph, root }: { graph: Graph; root: URL }): JSX.Element {
  const hindrance = graph.hindrance.value;
  return (
    <div role="status" class="hindrance">
      {hindrance === "" ? null : (
        <p class="notice">
          {hindrance === "signed-out" ? (
            <>
              You are signed out. <a href={toSignIn(root)}>Sign in again</a>
            </>
          ) : (
            messages[hindrance]
          )}
        </p>
      )}
    </div>
  );
}
