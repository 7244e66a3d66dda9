import type { JSX } from "preact";
import { Text, toVisible } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { type Asked, KeyName } from "./key-dialogs.tsx";
import type { Key, Warning } from "./keys-api.ts";

/** What a badge says of a key. */
export const warnings: Readonly<Record<Warning, string>> = {
  NEVER_EXPIRES: "never expires",
  UNUSED: "unused for 90 days",
  EXPIRES_SOON: "expires within 14 days",
};

const states = { LIVE: "Live", EXPIRED: "Expired", REVOKED: "Revoked" };

/** The keys of an account, one a row. */
export const KeyTable = ({
  keys,
  onAsk,
}: {
  keys: readonly Key[];
  onAsk(asked: Asked): void;
}): JSX.Element => (
  <div class="scroll" role="region" aria-label="API keys" tabIndex={0}>
    <table>
      <caption class="unseen">API keys</caption>
      <thead>
        <tr>
          <th scope="col">Key</th>
          <th scope="col">State</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
          <th scope="col">Last used</th>
          <th scope="col" class="number">
            Calls in 24 h
          </th>
          <th scope="col">Actions</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <Row of={key} onAsk={onAsk} key={key.id} />
        ))}
      </tbody>
    </table>
  </div>
);

function Row({ of, onAsk }: { of: Key; onAsk(asked: Asked): void }): JSX.Element {
  const isLive = of.state === "LIVE";
  const name = toVisible(of.name ?? of.start);
  return (
    <tr>
      <th scope="row">
        <KeyName of={of} />
      </th>
      <td>
        {states[of.state]}
        {isLive && of.rotatedTo !== null ? ", replaced" : null}
        {of.revokeReason === null ? null : (
          <>
            : <Text>{of.revokeReason}</Text>
          </>
        )}
        {of.warnings.map((warning) => (
          <span class="badge" key={warning}>
            {warnings[warning]}
          </span>
        ))}
      </td>
      <td>
        <Time at={of.createdAt} />
      </td>
      <td>
        <Time at={of.revokedAt === null ? of.expiresAt : null} none={of.revokedAt === null ? "never" : "–"} />
      </td>
      <td>
        <Time at={of.lastUsedAt} none="not known" />
      </td>
      <td class="number">{of.requestsLast24h?.toLocaleString() ?? "–"}</td>
      <td>
        {isLive ? (
          <span class="buttons">
            {of.rotatedTo === null ? (
              <button aria-label={`Rotate ${name}`} onClick={() => onAsk({ kind: "rotate", key: of })}>
                Rotate
              </button>
            ) : null}
            <button
              class="danger"
              aria-label={`Revoke ${name}`}
              onClick={() => onAsk({ kind: "revoke", key: of })}
            >
              Revoke
            </button>
          </span>
        ) : null}
      </td>
    </tr>
  );
}
