import { type Signal, signal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type DataOf, gql, type Graph } from "../graph.ts";
import { isPresent, onReturn } from "../presence.ts";
import { FilterForm } from "../ui/filters.tsx";
import { type PageProps, showToOwner } from "../ui/frame.tsx";
import { Figures, Report, type Shown, toFilters } from "./usage-parts.tsx";
import { daysOf, reportQuery, type Selection, toSpan, toVariables } from "./usage-report.ts";

/** Shows `/settings/usage`. */
export const show = (place: Element, root: URL): void => showToOwner(place, root, Usage);

const ownerQuery = gql(`query UsageOwner { viewer { account { name plan } } keys { id name start } }`);

const nowSubscription = gql(`subscription UsageNow { usage { used limit remaining resetAt } }`);

/** Milliseconds from a call until the report is read again: each reading is a request of the session. */
const refreshMs = 20_000;

interface State {
  owner: Signal<DataOf<"UsageOwner"> | undefined>;
  now: Signal<DataOf<"UsageNow">["usage"] | undefined>;
  shown: Signal<Shown | undefined>;
  selection: Signal<Selection>;
  message: Signal<string>;
  select(changes: Partial<Selection>): void;
}

/** Reads the usage of the account, and what changes it. */
function openUsage(graph: Graph): State {
  const state: State = {
    owner: signal(undefined),
    now: signal(undefined),
    shown: signal(undefined),
    selection: signal({ period: "24h", day: daysOf(Date.now()).last, key: "" }),
    message: signal(""),
    select(changes) {
      state.selection.value = { ...state.selection.value, ...changes };
      void loadReport();
    },
  };
  let timer: ReturnType<typeof setTimeout> | undefined;

  async function loadReport(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    const selection = state.selection.value;
    const now = Date.now();
    const span = toSpan(selection, now);
    try {
      const report = await graph.request(reportQuery, toVariables(span, selection.key, now));
      // Another selection may have been made in the meantime.
      if (state.selection.value === selection)
        state.shown.value = { report, span, selection, at: new Date().toISOString() };
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
      state.owner.value = await graph.request(ownerQuery, {});
    } catch (error) {
      state.message.value = (error as Error).message;
      if (graph.hindrance.value !== "signed-out") setTimeout(() => void begin(), refreshMs);
      return;
    }
    if (state.owner.value?.viewer.account === null) return;
    graph.subscribe(nowSubscription, {}, ({ usage }) => {
      const isNew = state.now.value !== undefined && state.now.value.used !== usage.used;
      state.now.value = usage;
      if (isNew) refreshLater();
    });
    onReturn(refreshLater);
    await loadReport();
  }

  void begin();
  return state;
}

function Usage({ graph }: PageProps): JSX.Element {
  const { owner, now, shown, selection, message, select } = useMemo(() => openUsage(graph), []);
  const account = owner.value?.viewer.account;
  const keys = owner.value?.keys ?? [];
  return (
    <>
      {account === null ? (
        <p class="lead">The session of the operator belongs to no account, so it has no usage.</p>
      ) : (
        <>
          <div class="page-action">
            <FilterForm filters={toFilters(keys)} values={selection.value} onSelect={select} />
          </div>
          <Figures now={now.value} shown={shown.value} />
          {account?.plan === "FREE" ? (
            <p>
              Calls of a free account count by address, 100 an hour for each, and it has no keys. Pro accounts
              have 1,000 requests an hour and team accounts 10,000 or more: ask the operator of this server.
            </p>
          ) : null}
          {shown.value === undefined ? null : (
            <Report {...shown.value} keys={keys} limit={now.value?.limit} />
          )}
        </>
      )}
      <p role="alert">{message.value}</p>
    </>
  );
}
