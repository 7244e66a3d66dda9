import { type ComponentType, type JSX, render } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { gql, type Graph, openGraph } from "../graph.ts";
import { openResource } from "../resource.ts";
import { readSession } from "../session.ts";
import { HindranceNotice } from "./hindrance-notice.tsx";

/** The props of each page of the settings and of the operator. */
export interface PageProps {
  graph: Graph;
  root: URL;
}

/** Shows a page of the settings. */
export function showToOwner(place: Element, root: URL, Content: ComponentType<PageProps>): void {
  const page = { graph: openGraph(root), root };
  void showWho(root);
  render(
    <>
      <HindranceNotice {...page} />
      <Content {...page} />
    </>,
    place,
  );
}

const whoQuery = gql(`query Who { viewer { operator } }`);

/** Shows a page to the operator. Anybody else sees whom the page is for, and its content asks the server nothing. */
export function showToOperator(place: Element, root: URL, Content: ComponentType<PageProps>): void {
  const page = { graph: openGraph(root), root };
  void showWho(root);
  render(<ForOperator {...page} Content={Content} />, place);
}

/** Says in the title of the page and above the list of its section who is signed in: browsers may have several of both. */
async function showWho(root: URL): Promise<void> {
  const session = await readSession(root);
  if (!session) return;
  const name = session.account ?? "Operator";
  const [page = "", ...rest] = document.title.split(" – ");
  document.title = [page, name, ...rest].join(" – ");
  const heading = document.querySelector("aside h2");
  if (heading !== null) heading.textContent = name;
}

function ForOperator({ Content, ...page }: PageProps & { Content: ComponentType<PageProps> }): JSX.Element {
  const who = useMemo(
    () => openResource(page.graph, () => page.graph.request(whoQuery, {}), { isOnce: true }),
    [],
  );
  useEffect(() => who.close, [who]);
  const isOperator = who.value.value?.viewer.operator;
  return (
    <>
      <HindranceNotice {...page} />
      {isOperator === true ? <Content {...page} /> : null}
      {isOperator === false ? (
        <p class="lead">
          This page is for the operator of this server. You are signed in to an account:{" "}
          <a href={new URL("settings/keys", page.root).href}>its settings</a>.
        </p>
      ) : null}
      <p role="alert">{who.message.value}</p>
    </>
  );
}
