import { render, type ComponentType, type JSX } from "preact";
import { gql, type Graph, openGraph } from "../graph.ts";
import { openResource, type Resource } from "../resource.ts";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";

/** What every page of the operator gets. */
export interface OperatorProps {
  graph: Graph;
  root: URL;
}

interface Who {
  viewer: { operator: boolean };
}

const whoQuery = gql`
  query Who {
    viewer {
      operator
    }
  }
`;

/** Shows a page to the operator. To anybody else it says so, and nothing is asked of the server. */
export function showToOperator(place: Element, root: URL, Content: ComponentType<OperatorProps>): void {
  const graph = openGraph(root);
  const who = openResource(graph, () => graph.request<Who>(whoQuery), { isOnce: true });
  render(<Frame graph={graph} root={root} who={who} Content={Content} />, place);
}

interface FrameProps extends OperatorProps {
  who: Resource<Who>;
  Content: ComponentType<OperatorProps>;
}

function Frame({ graph, root, who, Content }: FrameProps): JSX.Element {
  const isOperator = who.value.value?.viewer.operator;
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {isOperator === true ? <Content graph={graph} root={root} /> : null}
      {isOperator === false ? (
        <p class="lead">
          This page is for the operator of this server. You are signed in to an account:{" "}
          <a href={new URL("settings/keys", root).href}>its settings</a>.
        </p>
      ) : null}
      <p role="alert">{who.message.value}</p>
    </>
  );
}
