import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { type Row, toRows } from "./diff-rows.ts";

/** A difference: as the tool returned it, or, if it is a unified one, with the two documents side by side. */
export function Diff({
  text,
  children,
}: {
  text: string;
  children: (lines: JSX.Element) => JSX.Element;
}): JSX.Element {
  const isBeside = useSignal(false);
  const rows = toRows(text);
  return (
    <>
      {rows === undefined ? null : (
        <p class="actions">
          <button
            type="button"
            aria-pressed={isBeside.value}
            onClick={() => (isBeside.value = !isBeside.value)}
          >
            Side by side
          </button>
        </p>
      )}
      {rows !== undefined && isBeside.value ? <Beside rows={rows} /> : children(<Lines text={text} />)}
    </>
  );
}

/** Lines of a difference, coloured by what they begin with. The sign itself says the same without colours. */
const Lines = ({ text }: { text: string }): JSX.Element => (
  <>
    {text.split(/(?<=\n)/).map((line, index) => (
      <span class={classes[line[0] ?? ""]} key={index}>
        {line}
      </span>
    ))}
  </>
);

const classes: Readonly<Record<string, string>> = { "+": "added", "-": "removed", "@": "hunk" };

const Beside = ({ rows }: { rows: readonly Row[] }): JSX.Element => (
  <div class="beside" role="region" aria-label="The documents side by side" tabIndex={0}>
    <table>
      <thead>
        <tr>
          <th scope="col">Line</th>
          <th scope="col">Before</th>
          <th scope="col">Line</th>
          <th scope="col">After</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ before, after }, index) => (
          <tr key={index}>
            <td>{before?.line}</td>
            <td class={before?.isChanged === true ? "removed" : undefined} dir="auto">
              {before?.isChanged === true ? <del>{before.text}</del> : before?.text}
            </td>
            <td>{after?.line}</td>
            <td class={after?.isChanged === true ? "added" : undefined} dir="auto">
              {after?.isChanged === true ? <ins>{after.text}</ins> : after?.text}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
);
