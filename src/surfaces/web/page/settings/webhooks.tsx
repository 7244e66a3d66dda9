import type { ReadonlySignal } from "@preact/signals";
import type { JSX } from "preact";
import { useMemo } from "preact/hooks";
import { type EventType, nameOf, readEventTypes } from "../event-types.ts";
import { type DataOf, gql } from "../graph.ts";
import { type PageProps, showToOwner } from "../ui/frame.tsx";
import { defineList, useList } from "../ui/list.ts";
import { ListView } from "../ui/list-view.tsx";
import { Tag } from "../ui/tag.tsx";
import { Text, toVisible } from "../ui/text.tsx";
import { EndDate, Time } from "../ui/time.tsx";
import { useDeliveries } from "./deliveries.tsx";
import { create, recover, remove, rotate } from "./endpoint-questions.tsx";

/** Shows `/settings/webhooks`. */
export const show = (place: Element, root: URL): void => showToOwner(place, root, Webhooks);

type Endpoint = NonNullable<DataOf<"Endpoints">["webhookEndpoints"]>[number];

function Webhooks(page: PageProps): JSX.Element {
  const types = useMemo(() => readEventTypes(page.root), []);
  const endpoints = useList(page, () => endpointList(types));
  const deliveries = useDeliveries(page, {
    endpoints: () => endpoints.resource.value.value?.webhookEndpoints ?? [],
    types,
  });
  return <ListView of={endpoints}>{deliveries}</ListView>;
}

const endpointList = (types: ReadonlySignal<readonly EventType[]>) =>
  defineList({
    label: "Endpoints",
    document: gql(`
      query Endpoints {
        viewer { account { name } }
        webhookEndpoints {
          id url method events state disabledReason disabledAt retryClientErrors description maskedSecret
          previousUntil createdAt failures failingSince
        }
      }
    `),
    rows: ({ webhookEndpoints }) => webhookEndpoints ?? [],
    idOf: ({ id }) => id,
    columns: [
      {
        title: "Endpoint",
        cell: ({ method, url, description }) => (
          <>
            <code>
              {method} <Text>{url}</Text>
            </code>
            {description === null ? null : (
              <>
                <br />
                <Text>{description}</Text>
              </>
            )}
          </>
        ),
      },
      {
        title: "Events",
        cell: ({ events }) => events?.map((id) => nameOf(types.value, id)).join(", ") ?? "all",
      },
      { title: "State", cell: (endpoint) => <State of={endpoint} /> },
      {
        title: "Secret",
        cell: ({ maskedSecret, previousUntil }) => (
          <>
            <code>{maskedSecret ?? "cannot be decrypted"}</code>
            {previousUntil === null ? null : (
              <>
                <br />
                the previous one signs too, until <EndDate at={previousUntil} />
              </>
            )}
          </>
        ),
      },
    ],
    nameOf: ({ url }) => toVisible(url),
    actions(endpoint) {
      const { id } = endpoint;
      const url = toVisible(endpoint.url);
      return [
        endpoint.state === "ACTIVE" && {
          text: "Test",
          isPlain: true,
          icon: "run",
          label: `Send a test to ${url}`,
          act: (graph) => graph.request(testMutation, { id }),
          done: `A test event was added for ${url}.`,
        },
        endpoint.state === "ACTIVE"
          ? {
              text: "Pause",
              icon: "stop",
              label: `Pause ${url}`,
              act: (graph) => graph.request(pauseMutation, { id }),
              done: `Paused: ${url}.`,
            }
          : {
              text: "Resume",
              isPlain: true,
              icon: "run",
              label: `Resume ${url}`,
              act: (graph) => graph.request(resumeMutation, { id }),
              done: `Resumed: ${url}.`,
            },
        {
          text: "Rotate secret …",
          icon: "again",
          label: `Rotate secret of ${url}`,
          ask: () => rotate(endpoint),
        },
        {
          text: "Recover …",
          icon: "webhooks",
          label: `Recover deliveries to ${url}`,
          ask: () => recover(endpoint),
        },
        {
          text: "Delete …",
          icon: "delete",
          label: `Delete ${url}`,
          isDanger: true,
          ask: () => remove(endpoint),
        },
      ];
    },
    status: ({ data, rows }) =>
      data && rows.length === 0 ? "This account has no endpoints yet." : undefined,
    empty: {
      icon: "webhooks",
      text: "An endpoint is a URL of yours, to which this server sends a signed request when something happens to the account: a key is issued, or the quota is used up.",
    },
    account: ({ viewer }) => viewer.account,
    what: "webhooks",
    main: { text: "Add an endpoint", onClick: ({ ask }) => ask(create(types)) },
    live: ({ page, resource }) => void page.graph.subscribe(disabledSubscription, {}, resource.refresh),
  });

const testMutation = gql(`mutation TestEndpoint($id: ID!) { testWebhookEndpoint(id: $id) { sending } }`);
const pauseMutation = gql(`mutation Pause($id: ID!) { pauseWebhookEndpoint(id: $id) { id } }`);
const resumeMutation = gql(`mutation Resume($id: ID!) { resumeWebhookEndpoint(id: $id) { id } }`);

/** The end of an endpoint by failures, and changes of the account. */
const disabledSubscription = gql(`
  subscription Disabled { events(types: [ENDPOINT_DISABLED, ACCOUNT_UPDATED]) { id } }
`);

const tones = { ACTIVE: "ok", PAUSED: "warn", DISABLED: "bad" } as const;
const states = { ACTIVE: "Active", PAUSED: "Paused: events are queued", DISABLED: "Disabled" };
const reasons = { GONE: "it answered 410 (Gone)", FAILING: "every attempt failed for 5 days" };

const State = ({ of }: { of: Endpoint }): JSX.Element => (
  <>
    <Tag tone={tones[of.state]}>{states[of.state]}</Tag>
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
