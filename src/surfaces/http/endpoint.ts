/** One way to call the server over HTTP, for people. */
export interface Endpoint {
  method: string;
  path: string;
  summary: string;
  /** The group that it belongs to: a category of tools, or another part of the API. */
  tag: string;
}
