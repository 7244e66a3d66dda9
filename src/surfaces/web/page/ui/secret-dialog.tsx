import type { ComponentChildren, JSX } from "preact";
import { useLayoutEffect } from "preact/hooks";
import { Copyable } from "./copyable.tsx";
import { Dialog } from "./dialog.tsx";

export interface SecretDialogProps {
  title: string;
  /** What the secret is, such as "Key". */
  name: string;
  secret: string;
  /** Lines that contain the secret, ready to be pasted somewhere. */
  lines?: readonly { title: string; text: string }[];
  /** Called when the user has answered that the secret is stored: nothing else closes the dialog. */
  onStored(): void;
  children?: ComponentChildren;
}

/** Shows a secret for the only time. The browser asks before it leaves the page. */
export function SecretDialog(props: SecretDialogProps): JSX.Element {
  useLayoutEffect(() => {
    const ask = (event: Event): void => event.preventDefault();
    addEventListener("beforeunload", ask);
    return () => removeEventListener("beforeunload", ask);
  }, []);
  return (
    <Dialog title={props.title}>
      <p>
        This is the only time that the server shows it. Copy it to where it is needed, such as a password
        manager or the secrets of your CI.
      </p>
      <Copyable title={props.name}>{props.secret}</Copyable>
      {props.lines?.map(({ title, text }) => (
        <Copyable title={title} key={title}>
          {text}
        </Copyable>
      ))}
      {props.children}
      <button class="primary" onClick={props.onStored}>
        I have stored it
      </button>
    </Dialog>
  );
}
