import type { ReadonlySignal } from "@preact/signals";
import type { EventType } from "../event-types.ts";
import { gql } from "../graph.ts";
import { type Asked, defineQuestion, type Secret } from "../ui/ask.tsx";
import { checksField, choiceField, textField } from "../ui/fields.tsx";
import { Text } from "../ui/text.tsx";

interface Endpoint {
  id: string;
  url: string;
}

export const create = (types: ReadonlySignal<readonly EventType[]>): Asked =>
  defineQuestion({
    title: "Add an endpoint",
    action: "Add",
    fields: {
      url: textField("URL", {
        hint: "The server sends a signed request to it for each event.",
        type: "url",
        required: true,
        maxLength: 2000,
      }),
      events: checksField("Events; all of them if none is chosen", () =>
        types.value.map(({ id, name, title }) => [
          id,
          <>
            <code>{name}</code> {title}
          </>,
        ]),
      ),
      description: textField("Description (optional)", { maxLength: 200 }),
      method: choiceField("Method", [
        ["POST", "POST"],
        ["PUT", "PUT"],
      ]),
      retries: choiceField("An answer of 4xx", [
        ["no", "ends the delivery"],
        ["yes", "is retried"],
      ]),
    },
    act: ({ graph }, { url, events, description, method, retries }) =>
      graph.request(createMutation, {
        input: {
          url: url.trim(),
          method,
          events: events.length === 0 ? null : [...events],
          description: description || null,
          retryClientErrors: retries === "yes",
        },
      }),
    next: ({ createWebhookEndpoint }) => createWebhookEndpoint && toSecret(createWebhookEndpoint),
  });

const createMutation = gql(`
  mutation CreateEndpoint($input: CreateWebhookEndpointInput!) {
    createWebhookEndpoint(input: $input) { secret warning }
  }
`);

export const rotate = ({ id, url }: Endpoint): Asked =>
  defineQuestion({
    title: "Rotate a signing secret",
    text: (
      <p>
        Requests to <Text>{url}</Text> are signed with the new secret at once. With the old one besides, a
        receiver that knows either accepts them.
      </p>
    ),
    action: "Rotate",
    fields: {
      grace: choiceField("The old secret signs too", [
        ["24h", "for a day"],
        ["7d", "for a week"],
        ["2h", "for two hours"],
        ["0", "no longer"],
      ]),
    },
    act: ({ graph }, { grace }) => graph.request(rotateMutation, { id, grace }),
    next: ({ rotateWebhookSecret }) => rotateWebhookSecret && toSecret(rotateWebhookSecret),
  });

const rotateMutation = gql(`
  mutation RotateSecret($id: ID!, $grace: String) {
    rotateWebhookSecret(id: $id, grace: $grace) { secret warning }
  }
`);

const toSecret = ({ secret, warning }: { secret: string; warning: string | null }): Secret => ({
  title: "The signing secret",
  name: "Secret",
  secret,
  text: warning === null ? null : <p class="notice">{warning}</p>,
});

export const recover = ({ id, url }: Endpoint): Asked =>
  defineQuestion({
    title: "Recover deliveries",
    text: (
      <p>
        Failed deliveries to <Text>{url}</Text> are sent again, the oldest first, at most 10,000.
      </p>
    ),
    action: "Send again",
    fields: {
      since: choiceField(
        "Added in",
        [
          ["1h", "the last hour"],
          ["24h", "the last day"],
          ["7d", "the last week"],
          ["30d", "the last 30 days"],
        ],
        { first: "24h" },
      ),
    },
    act: ({ graph }, { since }) => graph.request(recoverMutation, { endpoint: id, since }),
    next: ({ recoverDeliveries: done }) =>
      done && {
        title: "Recover deliveries",
        text: `${done.redelivered.toLocaleString()} ${done.redelivered === 1 ? "delivery is" : "deliveries are"} sent again.${done.more ? " There are more: recover once more." : ""}`,
      },
  });

const recoverMutation = gql(`
  mutation Recover($endpoint: ID!, $since: String!) {
    recoverDeliveries(endpoint: $endpoint, since: $since) { redelivered more }
  }
`);

export const remove = ({ id, url }: Endpoint): Asked =>
  defineQuestion({
    title: "Delete an endpoint",
    text: <p>Nothing is sent to it any more, and deliveries that wait for it fail.</p>,
    word: url,
    action: "Delete",
    isDanger: true,
    act: ({ graph }) => graph.request(deleteMutation, { id }),
  });

const deleteMutation = gql(`mutation DeleteEndpoint($id: ID!) { deleteWebhookEndpoint(id: $id) { id } }`);
