/** The answer of the server, or a message for the user. */
export type Answer<Value> = { value: Value; message: "" } | { value: undefined; message: string };

/** Sends a request to this server with the session cookie. Does not throw. */
export async function ask<Value>(url: URL, method: string, fields?: object): Promise<Answer<Value>> {
  try {
    const response = await fetch(url, {
      method,
      credentials: "same-origin",
      cache: "no-store",
      // Over plain HTTP the Referer alone shows the server that its own page asks.
      referrerPolicy: "same-origin",
      headers: {
        Accept: "application/json",
        ...(fields && { "Content-Type": "application/json" }),
      },
      ...(fields && { body: JSON.stringify(fields) }),
    });
    const body = (await response.json()) as { detail?: unknown };
    if (response.ok) return { value: body as Value, message: "" };
    return failed(
      typeof body.detail === "string" ? body.detail : `The server answered with ${response.status}.`,
    );
  } catch {
    return failed("The server cannot be reached, or something between refused the request. Try again.");
  }
}

const failed = (message: string): { value: undefined; message: string } => ({ value: undefined, message });
