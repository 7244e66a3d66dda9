import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { gql } from "../graph.ts";
import { openResource } from "../resource.ts";
import { Text } from "../ui/text.tsx";
import { Time } from "../ui/time.tsx";
import { type OperatorProps, showToOperator } from "./frame.tsx";

interface Node {
  id: string;
  version: string | null;
  seenAt: string;
  current: boolean;
}

interface Finding {
  check: string;
  level: "OK" | "NOTE" | "WARNING" | "ERROR";
  message: string;
  action: string | null;
}

const doctorQuery = gql`
  query Doctor {
    nodes {
      id
      version
      seenAt
      current
    }
    doctor {
      check
      level
      message
      action
    }
  }
`;

/** Shows `/operator/doctor`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Doctor);

const levels = { ERROR: "Error", WARNING: "Warning", NOTE: "Note", OK: "Ok" };
const order = Object.keys(levels);

function Doctor({ graph }: OperatorProps): JSX.Element {
  const result = useMemo(
    () =>
      openResource(
        graph,
        () => graph.request<{ nodes: Node[] | null; doctor: Finding[] | null }>(doctorQuery),
        { isOnce: true },
      ),
    [],
  );
  useEffect(() => result.close, [result]);
  const findings = (result.value.value?.doctor ?? []).toSorted(
    (one, other) => order.indexOf(one.level) - order.indexOf(other.level),
  );
  const count = (level: Finding["level"]): number => findings.filter((one) => one.level === level).length;
  return (
    <>
      <p class="actions">
        <button class="primary" onClick={() => void result.reload()}>
          Examine again
        </button>
      </p>
      <p role="status">
        {findings.length === 0
          ? "Examining …"
          : `${findings.length} checks: ${count("ERROR")} errors, ${count("WARNING")} warnings, ${count("NOTE")} notes.`}
      </p>
      {findings.length === 0 ? null : (
        <div class="scroll" role="region" aria-label="Findings" tabIndex={0}>
          <table>
            <caption class="unseen">Findings</caption>
            <thead>
              <tr>
                <th scope="col">Level</th>
                <th scope="col">Check</th>
                <th scope="col">Finding</th>
              </tr>
            </thead>
            <tbody>
              {findings.map(({ check, level, message, action }) => (
                <tr key={`${check} ${message}`}>
                  <th scope="row">{level === "OK" ? levels[level] : <strong>{levels[level]}</strong>}</th>
                  <td>
                    <code>{check}</code>
                  </td>
                  <td>
                    <Text>{message}</Text>
                    {action === null ? null : (
                      <>
                        <br />
                        <strong>
                          <Text>{action}</Text>
                        </strong>
                      </>
                    )}
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <Nodes nodes={result.value.value?.nodes ?? []} />
      <p role="alert">{result.message.value}</p>
    </>
  );
}

/** The servers of this installation; different releases share a store only during an upgrade. */
const Nodes = ({ nodes }: { nodes: readonly Node[] }): JSX.Element | null =>
  nodes.length === 0 ? null : (
    <section aria-labelledby="nodes">
      <h2 id="nodes">Nodes</h2>
      <div class="scroll" role="region" aria-label="List of nodes" tabIndex={0}>
        <table>
          <caption class="unseen">Nodes</caption>
          <thead>
            <tr>
              <th scope="col">Node</th>
              <th scope="col">Release</th>
              <th scope="col">Last report</th>
            </tr>
          </thead>
          <tbody>
            {nodes.map(({ id, version, seenAt, current }) => (
              <tr key={id}>
                <th scope="row">
                  <code>{id}</code>
                  {current ? " (this one)" : null}
                </th>
                <td>{version ?? "too old to report it"}</td>
                <td>
                  <Time at={seenAt} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </section>
  );
