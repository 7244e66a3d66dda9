import type { Extension } from "@codemirror/state";
import type { ComponentChildren, JSX } from "preact";
import { useEffect, useLayoutEffect, useRef } from "preact/hooks";
import { painted } from "../painted.ts";
import type { CodeView } from "./code-view.ts";
import type { Mark, Stretch } from "./marks.ts";

export interface CodeProps {
  label: string;
  text: string;
  isReadOnly?: boolean;
  marks?: readonly Mark[];
  stretches?: readonly Stretch[];
  wraps?: boolean;
  /** Loads what the view has in the place of the colours of JSON. */
  extensions?(): Promise<Extension>;
  /** Set to the view as long as there is one. */
  view?: { current: CodeView | null };
  onChange?(text: string): void;
  onSubmit?(): void;
  onCursor?(line: number, column: number): void;
  /** Called when the view is there. */
  onReady?(): void;
  /** Shown until then, and for ever if the server no longer has the script. */
  children?: ComponentChildren;
}

const noMarks: readonly Mark[] = [];
const noStretches: readonly Stretch[] = [];

/** Shows a text in a view of CodeMirror, whose script is fetched after the page has been painted. */
export function Code(props: CodeProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const view = useRef<CodeView | null>(null);
  /** The text of the view. It is not read from the view, because joining the lines of a large text takes time. */
  const held = useRef("");
  const newest = useRef(props);
  newest.current = props;

  useEffect(() => {
    let isClosed = false;
    open().catch(() => undefined);
    async function open(): Promise<void> {
      await painted();
      const [{ showCodeView }, extensions] = await Promise.all([
        import("./code-view.ts"),
        props.extensions?.(),
      ]);
      if (isClosed || place.current === null) return;
      const { label, isReadOnly = false } = newest.current;
      const made = showCodeView(place.current, {
        label,
        isReadOnly,
        wraps: props.wraps ?? true,
        ...(extensions !== undefined && { extensions }),
        onChange(changed) {
          held.current = changed;
          newest.current.onChange?.(changed);
        },
        ...(props.onSubmit !== undefined && { onSubmit: () => newest.current.onSubmit?.() }),
        ...(props.onCursor !== undefined && {
          onCursor: (line: number, column: number) => newest.current.onCursor?.(line, column),
        }),
      });
      // Another task, because the first layout and that of a large text take their time.
      await new Promise((resolve) => setTimeout(resolve));
      if (isClosed) return made.close();
      const { text, marks = noMarks } = newest.current;
      held.current = text;
      made.setText(text);
      made.setMarks(marks);
      made.setStretches(newest.current.stretches ?? noStretches);
      view.current = made;
      if (newest.current.view !== undefined) newest.current.view.current = made;
      newest.current.onReady?.();
    }
    return () => {
      isClosed = true;
      view.current?.close();
      if (newest.current.view !== undefined) newest.current.view.current = null;
    };
  }, []);

  const { text, isReadOnly = false, marks = noMarks, stretches = noStretches, children } = props;
  useLayoutEffect(() => {
    if (view.current === null || held.current === text) return;
    held.current = text;
    view.current.setText(text);
  }, [text]);
  useLayoutEffect(() => view.current?.setReadOnly(isReadOnly), [isReadOnly]);
  useLayoutEffect(() => view.current?.setMarks(marks), [marks]);
  useLayoutEffect(() => view.current?.setStretches(stretches), [stretches]);

  return (
    <div ref={place} class="code">
      {children}
    </div>
  );
}
