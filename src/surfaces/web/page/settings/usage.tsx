import { type Signal, signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { gql, type Graph, openGraph } from "../graph.ts";
import { isPresent, onReturn } from "../presence.ts";
import { HindranceNotice } from "../ui/hindrance-notice.tsx";
import { Filters, type Key, type Now, Report, type Shown, ThisHour } from "./usage-parts.tsx";
import {
  daysOf,
  reportQuery,
  type Selection,
  toSpan,
  toVariables,
  type UsageReport,
} from "./usage-report.ts";

interface Owner {
  viewer: { account: { name: string; plan: string } | null };
  keys: Key[] | null;
}

const ownerQuery = gql`
  query UsageOwner {
    viewer {
      account {
        name
        plan
      }
    }
    keys {
      id
      name
      start
    }
  }
`;

const nowSubscription = gql`
  subscription UsageNow {
    usage {
      used
      limit
      remaining
      resetAt
    }
  }
`;

/** Milliseconds from a call until the report is read again: each reading is a request of the session. */
const refreshMs = 20_000;

interface State {
  owner: Signal<Owner | undefined>;
  now: Signal<Now | undefined>;
  shown: Signal<Shown | undefined>;
  selection: Signal<Selection>;
  message: Signal<string>;
}

/** Shows `/settings/usage`. */
export function show(place: Element, root: URL): void {
  const graph = openGraph(root);
  const state: State = {
    owner: signal(undefined),
    now: signal(undefined),
    shown: signal(undefined),
    selection: signal({ period: "24h", day: daysOf(Date.now()).last, key: "" }),
    message: signal(""),
  };
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function loadReport(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const selection = state.selection.value;
    const now = Date.now();
    const span = toSpan(selection, now);
    try {
      const report = await graph.request<UsageReport>(reportQuery, toVariables(span, selection.key, now));
      // Another selection may have been made in the meantime.
      if (state.selection.value === selection) state.shown.value = { report, span, selection };
      state.message.value = "";
    } catch (error) {
      state.message.value = (error as Error).message;
      refreshLater();
    }
  }

  function refreshLater(): void {
    if (graph.hindrance.value === "signed-out") return;
    timer ??= setTimeout(() => {
      timer = undefined;
      if (isPresent()) void loadReport();
    }, refreshMs);
  }

  async function begin(): Promise<void> {
    try {
      state.owner.value = await graph.request<Owner>(ownerQuery);
    } catch (error) {
      state.message.value = (error as Error).message;
      if (graph.hindrance.value !== "signed-out") setTimeout(() => void begin(), refreshMs);
      return;
    }
    if (state.owner.value.viewer.account === null) return;
    graph.subscribe<{ usage: Now }>(nowSubscription, {}, ({ usage }) => {
      const isNew = state.now.value !== undefined && state.now.value.used !== usage.used;
      state.now.value = usage;
      if (isNew) refreshLater();
    });
    onReturn(refreshLater);
    await loadReport();
  }

  render(
    <Usage
      state={state}
      graph={graph}
      root={root}
      onSelect={(changes) => {
        state.selection.value = { ...state.selection.value, ...changes };
        void loadReport();
      }}
    />,
    place,
  );
  void begin();
}

interface UsageProps {
  state: State;
  graph: Graph;
  root: URL;
  onSelect(changes: Partial<Selection>): void;
}

function Usage({ state, graph, root, onSelect }: UsageProps): JSX.Element {
  const { owner, now, shown, selection, message } = state;
  const account = owner.value?.viewer.account;
  return (
    <>
      <HindranceNotice graph={graph} root={root} />
      {account === null ? (
        <p class="lead">The session of the operator belongs to no account, so it has no usage.</p>
      ) : (
        <>
          <ThisHour now={now.value} isFree={account?.plan === "FREE"} />
          {shown.value === undefined ? null : (
            <>
              <Filters selection={selection.value} keys={owner.value?.keys ?? []} onSelect={onSelect} />
              <Report {...shown.value} keys={owner.value?.keys ?? []} />
            </>
          )}
        </>
      )}
      <p role="alert">{message.value}</p>
    </>
  );
}
