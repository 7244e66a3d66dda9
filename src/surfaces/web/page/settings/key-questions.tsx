import { gql } from "../graph.ts";
import { type Asked, defineQuestion, type Secret } from "../ui/ask.tsx";
import { choiceField, textField } from "../ui/fields.tsx";
import { toSignIn } from "../return-link.ts";
import { KeyName, type NamedKey } from "../ui/key-name.tsx";
import { toVisible } from "../ui/text.tsx";
import { EndDate } from "../ui/time.tsx";

interface Key extends NamedKey {
  id: string;
}

export const generate = (): Asked =>
  defineQuestion({
    title: "Generate a new key",
    action: "Generate",
    fields: {
      name: textField("Name", {
        hint: "Where the key is used, such as the name of a CI project.",
        maxLength: 200,
      }),
      lifetime: choiceField(
        "Expires",
        [
          ["30d", "In 30 days"],
          ["90d", "In 90 days"],
          ["365d", "In a year"],
          ["", "As late as this server allows"],
          ["date", "On a date"],
        ],
        { first: "90d" },
      ),
      date: textField("Last day (UTC)", {
        type: "date",
        required: true,
        min: new Date().toISOString().slice(0, 10),
        when: ({ lifetime }) => lifetime === "date",
      }),
    },
    act: ({ graph }, { name, lifetime, date }) =>
      graph.request(generateMutation, {
        name: name.trim() || null,
        // The key works on the whole of the chosen day.
        expires: lifetime === "date" ? `${date}T23:59:59Z` : lifetime || null,
      }),
    next: ({ generateKey }, { root }) => generateKey && toSecret("your new key", generateKey, root),
  });

const generateMutation = gql(`
  mutation GenerateKey($name: String, $expires: String) {
    generateKey(input: { name: $name, expires: $expires }) { secret key { name start expiresAt } }
  }
`);

export const rotate = (key: Key): Asked =>
  defineQuestion({
    title: "Rotate a key",
    text: (
      <p>
        You get a new key in place of <KeyName of={key} />, with the same name and lifetime. Both work until
        the old one stops.
      </p>
    ),
    action: "Rotate",
    fields: {
      grace: choiceField(
        "The old key stops",
        [
          ["1h", "After an hour"],
          ["24h", "After a day"],
          ["7d", "After a week"],
          ["0s", "At once"],
        ],
        { first: "24h" },
      ),
    },
    act: ({ graph }, { grace }) => graph.request(rotateMutation, { id: key.id, grace }),
    next: ({ rotateKey }, { root }) => rotateKey && toSecret("the new key", rotateKey, root),
  });

const rotateMutation = gql(`
  mutation RotateKey($id: ID!, $grace: String) { rotateKey(id: $id, input: { grace: $grace }) { secret key { name start expiresAt } } }
`);

const toSecret = (title: string, { secret, key }: Issued, root: URL): Secret => ({
  title: key?.name
    ? `${toVisible(key.name)}: ${title}`
    : title.replace(/^./, (letter) => letter.toUpperCase()),
  name: "Key",
  secret,
  lead: "It is shown only this once. The server keeps a hash of it.",
  text: key && (
    <p class="muted">
      {key.expiresAt === null ? (
        "It does not expire."
      ) : (
        <>
          Expires <EndDate at={key.expiresAt} />.
        </>
      )}{" "}
      You will find it as <code>{key.start}…</code>
    </p>
  ),
  lines: [
    { title: "Shell", text: `export PENKNIFE_KEY=${secret}` },
    { title: "CI secret", text: `PENKNIFE_KEY=${secret}` },
    {
      title: "curl",
      text: [
        `curl ${new URL("api/tools/uuid-generator", root).href}`,
        `-H 'Authorization: Bearer ${secret}'`,
        "-H 'Content-Type: application/json' -d '{}'",
      ].join(" \\\n  "),
    },
  ],
});

interface Issued {
  secret: string;
  key: { name: string | null; start: string; expiresAt: string | null } | null;
}

export const revoke = (key: Key): Asked =>
  defineQuestion({
    title: "Revoke a key",
    text: (
      <p>
        <KeyName of={key} /> with the id <code>{key.id}</code> stops at once and for good: whatever still uses
        it is refused.
      </p>
    ),
    fields: { reason: textField("Reason (optional)", { hint: "Kept with the key.", maxLength: 200 }) },
    word: key.name ?? key.start,
    action: "Revoke",
    isDanger: true,
    act: ({ graph }, { reason }) => graph.request(revokeMutation, { id: key.id, reason: reason || null }),
  });

const revokeMutation = gql(`
  mutation RevokeKey($id: ID!, $reason: String) { revokeKey(id: $id, reason: $reason) { id } }
`);

export const revokeAll = (account: string, root: URL): Asked =>
  defineQuestion({
    title: "Revoke all keys",
    text: (
      <p>
        Every key of the account stops at once and for good. This needs a sign-in within the last ten minutes:{" "}
        <a href={toSignIn(root)}>sign in again</a> if yours is older.
      </p>
    ),
    word: account,
    action: "Revoke all keys",
    isDanger: true,
    act: ({ graph }) => graph.request(revokeAllMutation, {}),
  });

const revokeAllMutation = gql(`
  mutation RevokeAllKeys { revokeAllKeys(reason: "all keys were revoked") { id } }
`);
