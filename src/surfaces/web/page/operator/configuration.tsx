import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { useEffect, useMemo } from "preact/hooks";
import { gql } from "../graph.ts";
import { openResource } from "../resource.ts";
import { Text } from "../ui/text.tsx";
import { type OperatorProps, showToOperator } from "./frame.tsx";

interface Option {
  option: string;
  value: unknown;
  origin: string;
}

const configurationQuery = gql`
  query Configuration {
    configuration {
      option
      value
      origin
    }
  }
`;

/** Shows `/operator/configuration`. */
export const show = (place: Element, root: URL): void => showToOperator(place, root, Configuration);

function Configuration({ graph }: OperatorProps): JSX.Element {
  const search = useSignal("");
  const isSetOnly = useSignal(false);
  const result = useMemo(
    () =>
      openResource(
        graph,
        () => graph.request<{ configuration: Option[] | null }>(configurationQuery),
        // It does not change while the server runs.
        { isOnce: true },
      ),
    [],
  );
  useEffect(() => result.close, [result]);
  const words = search.value.toLowerCase().split(/\s+/);
  const shown = (result.value.value?.configuration ?? []).filter(
    ({ option, origin }) =>
      words.every((word) => option.toLowerCase().includes(word)) &&
      (!isSetOnly.value || origin !== "default"),
  );
  return (
    <>
      <form class="filters" role="search" onSubmit={(event) => event.preventDefault()}>
        <p>
          <label for="search">Search</label>
          <input
            id="search"
            type="search"
            value={search.value}
            onInput={({ currentTarget }) => (search.value = currentTarget.value)}
          />
        </p>
        <p class="bottom">
          <label class="check">
            <input
              type="checkbox"
              checked={isSetOnly.value}
              onChange={({ currentTarget }) => (isSetOnly.value = currentTarget.checked)}
            />
            Only options that were set
          </label>
        </p>
      </form>
      <div class="scroll" role="region" aria-label="Options" tabIndex={0}>
        <table>
          <caption class="unseen">Options</caption>
          <thead>
            <tr>
              <th scope="col">Option</th>
              <th scope="col">Value</th>
              <th scope="col">From</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ option, value, origin }) => (
              <tr key={option}>
                <th scope="row">
                  <code>{option}</code>
                </th>
                <td>
                  <Text>{toWords(value)}</Text>
                </td>
                <td>
                  <Text>{origin}</Text>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p role="alert">{result.message.value}</p>
    </>
  );
}

function toWords(value: unknown): string {
  if (Array.isArray(value)) return value.length === 0 ? "none" : value.join(", ");
  return value === "" ? "empty" : String(value);
}
