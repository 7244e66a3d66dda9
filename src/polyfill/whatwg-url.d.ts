// The package has no types, and its index needs more of a browser than a worker has.
declare module "whatwg-url/lib/url-state-machine.js" {
  interface UrlRecord {
    scheme: string;
    username: string;
    password: string;
    host: string | number | number[] | null;
    port: number | null;
    query: string | null;
    fragment: string | null;
  }
  const machine: {
    basicURLParse(text: string, options?: { baseURL?: UrlRecord }): UrlRecord | null;
    serializeURL(url: UrlRecord): string;
    serializeURLOrigin(url: UrlRecord): string;
    serializeHost(host: NonNullable<UrlRecord["host"]>): string;
    serializePath(url: UrlRecord): string;
  };
  export default machine;
}
