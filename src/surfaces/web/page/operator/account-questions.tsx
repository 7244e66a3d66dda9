import type { Plan } from "../schema.d.ts";
import { gql } from "../graph.ts";
import { type Asked, defineQuestion } from "../ui/ask.tsx";
import { choiceField, type FormField, textField } from "../ui/fields.tsx";

interface Account {
  name: string;
  plan: Plan;
  limit: number;
}

/** The fields of the plan, which begin with that of the account. */
const planFields = (of?: Account): { plan: FormField<Plan>; limit: FormField<string> } => ({
  plan: choiceField(
    "Plan",
    [
      ["FREE", "Free: 100 requests an hour for each address, no keys"],
      ["PRO", "Pro: 1,000 requests an hour"],
      ["TEAM", "Team: 10,000 requests an hour, or more"],
    ],
    { first: of?.plan ?? "PRO" },
  ),
  limit: textField("Requests an hour (optional)", {
    hint: "At least 10,000, which is the default.",
    first: of?.plan === "TEAM" ? String(of.limit) : "",
    type: "number",
    min: "10000",
    when: ({ plan }) => plan === "TEAM",
  }),
});

const toPlan = ({ plan, limit }: { plan: Plan; limit: string }): { plan: Plan; limit?: number } => ({
  plan,
  ...(plan === "TEAM" && limit !== "" && { limit: Number(limit) }),
});

export const create = defineQuestion({
  title: "Create an account",
  action: "Create",
  fields: {
    name: textField("Name", {
      hint: "1 to 63 lower-case letters, digits and hyphens; it cannot be changed.",
      required: true,
      maxLength: 63,
    }),
    ...planFields(),
  },
  act: ({ graph }, { name, ...plan }) =>
    graph.request(createMutation, { input: { name: name.trim(), ...toPlan(plan) } }),
});

const createMutation = gql(`
  mutation CreateAccount($input: CreateAccountInput!) { createAccount(input: $input) { name } }
`);

export const change = (account: Account): Asked => {
  const losesKeys = (plan: unknown): boolean => account.plan !== "FREE" && plan === "FREE";
  return defineQuestion({
    title: "Change an account",
    text: (
      <p>
        <strong>{account.name}</strong>
      </p>
    ),
    action: "Change",
    fields: {
      ...planFields(account),
      keys: choiceField(
        "Its keys",
        [
          ["no", "refuse the change if there are live keys"],
          ["yes", "revoke them for good"],
        ],
        { hint: "A free account has none.", when: ({ plan }) => losesKeys(plan) },
      ),
    },
    act: ({ graph }, { keys, ...values }) =>
      graph.request(updateMutation, {
        name: account.name,
        input: { ...toPlan(values), ...(losesKeys(values.plan) && { revokeKeys: keys === "yes" }) },
      }),
  });
};

const updateMutation = gql(`
  mutation UpdateAccount($name: ID!, $input: UpdateAccountInput!) {
    updateAccount(name: $name, input: $input) { name }
  }
`);

export const disable = (name: string): Asked =>
  defineQuestion({
    title: "Disable an account",
    text: (
      <p>
        The keys and sessions of <strong>{name}</strong> are refused until you enable it again.
      </p>
    ),
    action: "Disable",
    isDanger: true,
    act: ({ graph }) => graph.request(disableMutation, { name }),
  });

const disableMutation = gql(`mutation Disable($name: ID!) { disableAccount(name: $name) { name } }`);

export const remove = (name: string): Asked =>
  defineQuestion({
    title: "Delete an account",
    text: <p>Its keys are revoked for good, and its sessions end. Its usage stays in the history.</p>,
    word: name,
    action: "Delete",
    isDanger: true,
    act: ({ graph }) => graph.request(deleteMutation, { name }),
  });

const deleteMutation = gql(`
  mutation DeleteAccount($name: ID!) { deleteAccount(name: $name, revokeKeys: true) { name } }
`);

export const linkTo = (name: string): Asked =>
  defineQuestion({
    title: "A link to sign in",
    text: (
      <p>
        Whoever opens it can sign in to <strong>{name}</strong>, once, within ten minutes.
      </p>
    ),
    action: "Create the link",
    act: ({ graph }) => graph.request(loginMutation, { name }),
    next: ({ createLogin }, { root }) =>
      createLogin && {
        title: `A link for ${name}`,
        name: "Link",
        secret: new URL(`sign-in#code=${createLogin.code}`, root).href,
        lines: [{ title: "Code", text: createLogin.code }],
        text: <p>Give it to the owner of the account over a channel that only the owner reads.</p>,
      },
  });

const loginMutation = gql(`mutation CreateLogin($name: ID!) { createLogin(account: $name) { code } }`);
