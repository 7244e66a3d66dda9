import type { CreateInboxInput, InboxScheme } from "../schema.d.ts";
import { type DataOf, gql } from "../graph.ts";
import { type Asked, defineQuestion, type Secret } from "../ui/ask.tsx";
import { choiceField, type FormField, textField } from "../ui/fields.tsx";

export type Inbox = NonNullable<DataOf<"Inboxes">["inboxes"]>[number];

/** The schemes of senders. */
export const schemes = [
  ["NONE", "none: anyone may send"],
  ["GITHUB", "GitHub"],
  ["GITLAB", "GitLab"],
  ["SLACK", "Slack"],
  ["STRIPE", "Stripe"],
  ["STANDARD_WEBHOOKS", "Standard Webhooks, Svix"],
  ["PENKNIFE", "penknife"],
] as const satisfies readonly (readonly [InboxScheme, string])[];

/** The fields of an inbox, at first those of an existing one. */
const toFields = (of?: Inbox) => ({
  name: textField("Name", { first: of?.name ?? "", maxLength: 100 }),
  scheme: choiceField<InboxScheme>("Signatures of the sender", schemes, { first: of?.scheme }),
  secret: textField("Signing secret", {
    hint: ({ scheme }) =>
      of?.scheme === scheme
        ? "Leave it empty to keep the present one."
        : "Leave it empty to have one generated; enter it if the sender shows you one.",
    when: isSigned,
  }),
  onInvalid: choiceField(
    "A message with a wrong signature",
    [
      ["REFUSE", "is refused with 401"],
      ["RECORD", "is kept, and marked"],
    ],
    { first: of?.onInvalid, when: isSigned },
  ),
  status: textField("Status of the answer", {
    first: String(of?.status ?? 200),
    type: "number",
    min: "200",
    required: true,
  }),
  body: textField("Body of the answer (optional)", {
    hint: "By default it says whether the message is a duplicate.",
    first: of?.body ?? "",
  }),
  delayMs: textField("Milliseconds before the answer", {
    first: String(of?.delayMs ?? 0),
    type: "number",
    min: "0",
    required: true,
  }),
});

const isSigned = ({ scheme }: { scheme?: unknown }): boolean => scheme !== "NONE";

type FirstOf<Field> = Field extends FormField<infer Value> ? Value : never;
type InboxValues = {
  [Name in keyof ReturnType<typeof toFields>]: FirstOf<ReturnType<typeof toFields>[Name]>;
};

/** @param none What removes the name or the body; a new inbox has neither. */
const toInput = (values: InboxValues, none: null | undefined): CreateInboxInput => ({
  name: values.name || none,
  scheme: values.scheme,
  ...(values.secret !== "" && { secret: values.secret }),
  onInvalid: values.onInvalid,
  status: Number(values.status),
  body: values.body || none,
  delayMs: Number(values.delayMs),
});

const toSecret = (made: { secret: string | null } | null): Secret | undefined =>
  made?.secret
    ? {
        title: "The signing secret of the inbox",
        name: "Secret",
        secret: made.secret,
        text: <p>Enter it at the sender, which signs its messages with it.</p>,
      }
    : undefined;

export const create = defineQuestion({
  title: "Create an inbox",
  action: "Create",
  fields: toFields(),
  act: ({ graph }, values) => graph.request(createMutation, { input: toInput(values, undefined) }),
  next: ({ createInbox }) => toSecret(createInbox),
});

const createMutation = gql(`
  mutation CreateInbox($input: CreateInboxInput!) { createInbox(input: $input) { secret } }
`);

export const change = (inbox: Inbox): Asked =>
  defineQuestion({
    title: "Change an inbox",
    action: "Change",
    fields: toFields(inbox),
    act: ({ graph }, values) => graph.request(updateMutation, { id: inbox.id, input: toInput(values, null) }),
    next: ({ updateInbox }) => toSecret(updateInbox),
  });

const updateMutation = gql(`
  mutation UpdateInbox($id: ID!, $input: UpdateInboxInput!) { updateInbox(id: $id, input: $input) { secret } }
`);

export const remove = ({ id, name }: Inbox): Asked =>
  defineQuestion({
    title: "Delete an inbox",
    text: <p>Its messages are deleted, and senders are refused.</p>,
    word: name ?? id,
    action: "Delete",
    isDanger: true,
    act: ({ graph }) => graph.request(deleteMutation, { id }),
  });

const deleteMutation = gql(`mutation DeleteInbox($id: ID!) { deleteInbox(id: $id) { id } }`);
