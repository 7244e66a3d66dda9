import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type EventType, nameOf } from "../event-types.ts";
import type { Graph } from "../graph.ts";
import { useAct } from "../ui/act.ts";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import type { Asked } from "./endpoint-dialogs.tsx";
import { type Endpoint, pauseMutation, resumeMutation, testMutation } from "./webhooks-api.ts";

export interface EndpointTableProps {
  endpoints: readonly Endpoint[];
  types: readonly EventType[];
  graph: Graph;
  /** Called after an act that changed an endpoint. */
  onChange(): void;
  onAsk(asked: Asked): void;
}

/** The endpoints of an account, one a row, with their health and what can be done to them. */
export function EndpointTable({ endpoints, types, graph, onChange, onAsk }: EndpointTableProps): JSX.Element {
  const { run, isBusy, message } = useAct();
  const done = useSignal("");
  async function act(mutation: string, { id, url }: Endpoint): Promise<void> {
    done.value = "";
    if (await run(() => graph.request(mutation, { id })))
      done.value = `${doneWords[mutation]} ${toVisible(url)}.`;
    onChange();
  }
  return (
    <>
      <div class="scroll" role="region" aria-label="Endpoints" tabIndex={0}>
        <table>
          <caption class="unseen">Endpoints</caption>
          <thead>
            <tr>
              <th scope="col">Endpoint</th>
              <th scope="col">Events</th>
              <th scope="col">State</th>
              <th scope="col">Secret</th>
              <th scope="col">Actions</th>
            </tr>
          </thead>
          <tbody>
            {endpoints.map((endpoint) => (
              <tr key={endpoint.id}>
                <th scope="row">
                  {endpoint.method} <Text>{endpoint.url}</Text>
                  {endpoint.description === null ? null : (
                    <>
                      <br />
                      <Text>{endpoint.description}</Text>
                    </>
                  )}
                </th>
                <td>{endpoint.events?.map((id) => nameOf(types, id)).join(", ") ?? "all"}</td>
                <td>
                  <State of={endpoint} />
                </td>
                <td>
                  <code>{endpoint.maskedSecret ?? "cannot be decrypted"}</code>
                  {endpoint.previousUntil === null ? null : (
                    <>
                      <br />
                      the previous one signs too, until <Time at={endpoint.previousUntil} />
                    </>
                  )}
                </td>
                <td>
                  <Buttons of={endpoint} isBusy={isBusy.value} act={act} onAsk={onAsk} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p role="status">{done.value}</p>
      <p role="alert">{message.value}</p>
    </>
  );
}

const doneWords: Readonly<Record<string, string>> = {
  [testMutation]: "A test event was added for",
  [pauseMutation]: "Paused:",
  [resumeMutation]: "Resumed:",
};

const states = { ACTIVE: "Active", PAUSED: "Paused: events are queued", DISABLED: "Disabled" };
const reasons = { GONE: "it answered 410 (Gone)", FAILING: "every attempt failed for 5 days" };

const State = ({ of }: { of: Endpoint }): JSX.Element => (
  <>
    {states[of.state]}
    {of.disabledReason === null ? null : (
      <>
        {" "}
        <Time at={of.disabledAt} />: {reasons[of.disabledReason]}
      </>
    )}
    {of.failures === null || of.failures === 0 ? null : (
      <span class="badge">
        {of.failures.toLocaleString()} failed in a row, since <Time at={of.failingSince} />
      </span>
    )}
  </>
);

interface ButtonsProps {
  of: Endpoint;
  /** Whether an act of a button runs: another would be ignored. */
  isBusy: boolean;
  act(mutation: string, of: Endpoint): Promise<void>;
  onAsk(asked: Asked): void;
}

function Buttons({ of, isBusy, act, onAsk }: ButtonsProps): JSX.Element {
  const name = toVisible(of.url);
  const isActive = of.state === "ACTIVE";
  return (
    <span class="buttons">
      {isActive ? (
        <button
          aria-disabled={isBusy}
          aria-label={`Send a test to ${name}`}
          onClick={() => void act(testMutation, of)}
        >
          Test
        </button>
      ) : null}
      {/* One button, which keeps the focus. */}
      <button
        aria-disabled={isBusy}
        aria-label={`${isActive ? "Pause" : "Resume"} ${name}`}
        onClick={() => void act(isActive ? pauseMutation : resumeMutation, of)}
      >
        {isActive ? "Pause" : "Resume"}
      </button>
      <button aria-label={`Rotate secret of ${name}`} onClick={() => onAsk({ kind: "rotate", endpoint: of })}>
        Rotate secret
      </button>
      <button
        aria-label={`Recover deliveries to ${name}`}
        onClick={() => onAsk({ kind: "recover", endpoint: of })}
      >
        Recover
      </button>
      <button
        class="danger"
        aria-label={`Delete ${name}`}
        onClick={() => onAsk({ kind: "delete", endpoint: of })}
      >
        Delete
      </button>
    </span>
  );
}
