import { useSignal } from "@preact/signals";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CopyButton } from "../copy-button.tsx";
import { Code } from "../editor/code.tsx";
import type { ErrorPlace } from "../../../../catalog/errors.ts";
import type { Finding } from "../../../../catalog/report.ts";
import type { Refusal } from "../tab/call.ts";
import { Diff } from "./diff.tsx";
import { download, nameResult } from "./download.ts";
import type { Definition } from "./definition.ts";
import type { Outcome } from "./runner.ts";

/** Shows the character at a place, in lines and code points from 1. */
type GoTo = (line: number, column: number) => void;

export interface ResultProps {
  definition: Definition;
  outcome: Outcome;
  /** Shows a place in the document, if the page shows the document. */
  onGoTo: GoTo | undefined;
  /** Makes the result the document. */
  onReuse(result: string): void;
}

/** What a tool returned, or why it returned nothing. */
export function Result({ definition, outcome, onGoTo, onReuse }: ResultProps): JSX.Element {
  if (outcome.kind === "none") return <p class="hint">The result appears here.</p>;
  if (outcome.kind === "refusal") return <Refused refusal={outcome.refusal} onGoTo={onGoTo} />;
  const { result: text, report } = outcome;
  if (typeof text !== "string") return <Bytes definition={definition} bytes={text} />;
  return (
    <>
      {report === undefined ? null : (
        <Findings valid={report.valid} findings={report.errors} onGoTo={onGoTo} />
      )}
      {/^(?:<\?xml[^>]*>\s*)?<svg[\s>]/.test(text) ? <Picture type="image/svg+xml" body={text} /> : null}
      <Text definition={definition} text={text} isReport={report !== undefined} onReuse={onReuse} />
    </>
  );
}

/** Longest result, in UTF-16 code units, that is a part of the page; a longer one is in a view that lays out what is seen of it. */
const maxInPage = 20_000;
/** Characters of a difference that are shown. */
const maxDifference = 200_000;

interface TextProps {
  definition: Definition;
  text: string;
  isReport: boolean;
  onReuse(result: string): void;
}

function Text({ definition, text, isReport, onReuse }: TextProps): JSX.Element {
  const place = useRef<HTMLPreElement & HTMLDivElement>(null);
  /** Selected to copy while the text stands in no element of its own. */
  const bar = useRef<HTMLParagraphElement>(null);
  const isDifference = definition.slug.endsWith("-differ");
  const isWhole = !isDifference || text.length <= maxDifference;
  const inPage = (content: ComponentChildren): JSX.Element => (
    <pre
      ref={place}
      class="content result"
      role="region"
      aria-label="Text of the result"
      tabIndex={0}
      dir="auto"
    >
      {content}
    </pre>
  );
  return (
    <>
      <p class="actions" ref={bar}>
        <CopyButton title="Result" source={() => place.current ?? bar.current} text={text} />
        <button type="button" onClick={() => download(nameResult(definition.slug, text), text)}>
          Download
        </button>
        {isReport ? null : (
          <button type="button" onClick={() => onReuse(text)}>
            Use as input
          </button>
        )}
      </p>
      {isDifference ? (
        <Diff text={text.slice(0, maxDifference)}>{inPage}</Diff>
      ) : text.length <= maxInPage ? (
        inPage(text)
      ) : (
        <div ref={place} class="content result large">
          <Code label="Text of the result" text={text} isReadOnly>
            <pre>{text.slice(0, maxInPage)}…</pre>
          </Code>
        </div>
      )}
      {isWhole ? null : (
        <p class="hint">
          The first {maxDifference.toLocaleString()} of {text.length.toLocaleString()} characters. Copy and
          Download give all.
        </p>
      )}
    </>
  );
}

function Bytes({
  definition,
  bytes,
}: {
  definition: Definition;
  bytes: Uint8Array<ArrayBuffer>;
}): JSX.Element {
  const type = isPng(bytes) ? "image/png" : undefined;
  return (
    <>
      {type === undefined ? null : <Picture type={type} body={bytes} />}
      <p>The result is {bytes.length.toLocaleString()} bytes that are not text.</p>
      <p class="actions">
        <button
          type="button"
          onClick={() => download(`${definition.slug}.${type === undefined ? "bin" : "png"}`, bytes)}
        >
          Download
        </button>
      </p>
    </>
  );
}

export const isPng = (bytes: Uint8Array): boolean =>
  [0x89, 0x50, 0x4e, 0x47].every((byte, index) => bytes[index] === byte);

/** Draws an image: as an image, not as a part of the page, so that no script in it runs and it loads nothing. */
export function Picture({
  type,
  body,
}: {
  type: string;
  body: string | Uint8Array<ArrayBuffer>;
}): JSX.Element {
  const url = useSignal("");
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([body], { type }));
    url.value = made;
    return () => URL.revokeObjectURL(made);
  }, [body, type]);
  return <img class="picture" src={url.value} alt="The result as an image" />;
}

interface FindingsProps {
  valid: boolean;
  findings: readonly Finding[];
  onGoTo: GoTo | undefined;
}

/** Findings that are listed; the text of the report has all. */
const maxFindings = 200;

function Findings({ valid, findings, onGoTo }: FindingsProps): JSX.Element {
  return (
    <>
      <p class={valid ? "verdict" : "verdict bad"}>
        {valid ? (findings.length === 0 ? "Nothing was found." : "Valid, with warnings.") : "Not valid."}
      </p>
      <ul class="findings">
        {findings.slice(0, maxFindings).map((finding, index) => (
          <li key={index}>
            <Place line={finding.line} column={finding.column} onGoTo={onGoTo} />{" "}
            <span class="badge">{finding.severity}</span> <bdi>{finding.message}</bdi>{" "}
            <code>{finding.rule}</code>
          </li>
        ))}
      </ul>
      {findings.length > maxFindings ? <p class="hint">The report below has all {findings.length}.</p> : null}
    </>
  );
}

function Refused({ refusal, onGoTo }: { refusal: Refusal; onGoTo: GoTo | undefined }): JSX.Element {
  const [place] = refusal.places;
  return (
    <Notice>
      <bdi>{refusal.message}</bdi>{" "}
      {place !== undefined && isInDocument(place) ? (
        <Place line={place.line ?? 1} column={place.column ?? 1} onGoTo={onGoTo} />
      ) : null}
    </Notice>
  );
}

/** Whether a place is in the document of a call, and not in another field. */
export const isInDocument = ({ line, field }: ErrorPlace): boolean =>
  line !== undefined && (field === undefined || field === "data");

const Notice = ({ children }: { children: ComponentChildren }): JSX.Element => (
  <p class="notice refused">{children}</p>
);

interface PlaceProps {
  line: number;
  column: number;
  onGoTo: GoTo | undefined;
}

function Place({ line, column, onGoTo }: PlaceProps): JSX.Element {
  const text = `Line ${line}, column ${column}`;
  if (onGoTo === undefined) return <span>{text}</span>;
  return (
    <button type="button" class="place" onClick={() => onGoTo(line, column)}>
      {text}
    </button>
  );
}
