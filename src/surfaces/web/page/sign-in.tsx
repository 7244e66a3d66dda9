import { signal } from "@preact/signals";
import { render, type JSX } from "preact";
import { isFor, toOwnPage } from "../../../lib/own-page.ts";
import { ask, type Answer } from "./server.ts";
import { keepAccount, readSession, type Session } from "./session.ts";

/** The state of the page: it shows the form until the server has reported a session. */
interface State {
  session: Session | undefined;
  code: string;
  /** Whether an answer of the server is awaited. */
  isBusy: boolean;
  message: string;
}

/** Shows the form of `/sign-in`. A code in the fragment fills it; only a click sends the code. */
export function show(place: HTMLElement, root: URL): void {
  const state = signal<State>({ session: undefined, code: takeCode(), isBusy: false, message: "" });
  const change = (changes: Partial<State>): void => {
    state.value = { ...state.value, ...changes };
  };

  /** Ends the session here first: the provider may be down. */
  async function leave(): Promise<void> {
    await send("DELETE");
    if (state.value.session === undefined) location.assign(new URL("sign-in/leave", root));
  }

  async function send(method: "POST" | "DELETE"): Promise<void> {
    if (state.value.isBusy) return;
    change({ isBusy: true, message: "" });
    const fields = method === "POST" ? { code: state.value.code.trim() } : undefined;
    const answer = await ask<{ session: Session | null }>(new URL("session", root), method, fields);
    change({ isBusy: false, ...outcomeOf(method, answer) });
    if (answer.value !== undefined) keepAccount(method === "POST" ? answer.value.session : null);
    const { session } = state.value;
    const to = toOwnPage(place.dataset["to"] ?? null);
    if (method === "POST" && session !== undefined && to !== undefined && isFor(to, session.account === null))
      return location.replace(new URL(to, root));
    // What had the focus may be gone.
    setTimeout(() => place.querySelector<HTMLElement>("input, [tabindex]")?.focus());
  }

  // A second link, opened in this tab, changes the fragment alone.
  addEventListener("hashchange", () => {
    const code = takeCode();
    if (code !== "") change({ code, session: undefined, message: "" });
  });
  const SignIn = (): JSX.Element => {
    const { session } = state.value;
    return session === undefined ? (
      <Form
        state={state.value}
        isOnly={place.dataset["provider"] === undefined}
        onCode={(code) => change({ code })}
        onSend={() => void send("POST")}
      />
    ) : (
      <SignedIn
        session={session}
        root={root}
        state={state.value}
        provider={place.dataset["provider"]}
        onSend={() => void send("DELETE")}
        onLeave={() => void leave()}
      />
    );
  };
  render(<SignIn />, place);
  void restore();

  /** Shows the session that the browser already has, unless a link asks for another. */
  async function restore(): Promise<void> {
    if (state.value.code !== "") return;
    const session = await readSession(root);
    if (session && state.value.code === "" && !state.value.isBusy) change({ session });
  }
}

/** Returns the code in the fragment and erases it, so that it stays neither in the address bar nor in a bookmark. */
function takeCode(): string {
  const code = new URLSearchParams(location.hash.slice(1)).get("code") ?? "";
  if (code !== "") history.replaceState(null, "", location.pathname + location.search);
  return code;
}

function outcomeOf(method: "POST" | "DELETE", answer: Answer<{ session: Session | null }>): Partial<State> {
  if (answer.value === undefined) return { message: answer.message };
  if (method === "DELETE") return { session: undefined, code: "", message: "You are signed out." };
  return { session: answer.value.session ?? undefined, code: "" };
}

interface FormProps {
  state: State;
  /** Whether a code is the only way to sign in here. */
  isOnly: boolean;
  onCode(code: string): void;
  onSend(): void;
}

const Form = ({ state, isOnly, onCode, onSend }: FormProps): JSX.Element => (
  <form
    onSubmit={(event) => {
      event.preventDefault();
      onSend();
    }}
  >
    <label for="code">One-time code</label>
    <input
      id="code"
      name="code"
      required
      autocomplete="one-time-code"
      autocapitalize="characters"
      spellcheck={false}
      placeholder="XXXXX-XXXXX-XXXXX-XXXXX"
      value={state.code}
      aria-describedby="code-hint"
      onInput={(event) => onCode(event.currentTarget.value)}
    />
    <p class="hint" id="code-hint">
      From the operator of this server; valid once, for ten minutes.
    </p>
    <button class={isOnly ? "primary" : undefined} aria-disabled={state.isBusy}>
      {isOnly ? "Sign in" : "Sign in with the code"}
    </button>
    <p role="alert">{state.message}</p>
  </form>
);

interface SignedInProps {
  root: URL;
  session: Session;
  state: State;
  /** The name of the provider, if there is one. */
  provider: string | undefined;
  onSend(): void;
  onLeave(): void;
}

const SignedIn = ({ session, root, state, provider, onSend, onLeave }: SignedInProps): JSX.Element => (
  <>
    <p class="lead" tabIndex={-1}>
      You are signed in{" "}
      {session.account === null ? (
        "as the operator"
      ) : (
        <>
          to the account <bdi>{session.account}</bdi>
        </>
      )}
      , until <time dateTime={session.expiresAt}>{new Date(session.expiresAt).toLocaleTimeString()}</time> at
      the latest.
    </p>
    <p>
      {session.account === null ? (
        <a href={new URL("operator/accounts", root).href}>Pages of the operator</a>
      ) : (
        <a href={new URL("settings/keys", root).href}>Settings of this account</a>
      )}
    </p>
    <button aria-disabled={state.isBusy} onClick={onSend}>
      Sign out
    </button>{" "}
    {provider !== undefined && session.person?.issuer.startsWith("http") && (
      <button aria-disabled={state.isBusy} onClick={onLeave}>
        Sign out here and at {provider}
      </button>
    )}
    <p role="alert">{state.message}</p>
  </>
);
