// Types of the functions of fontoxpath that are called here. Its own types bring those of the DOM, which differ from those of Node.
export interface Options {
  language: "XPath3.1";
  namespaceResolver: (prefix: string) => string | null;
  functionNameResolver: (
    name: { prefix: string; localName: string },
    arity: number,
  ) => { namespaceURI: string; localName: string } | null;
  /** Keeps no compiled expression. */
  disableCache: boolean;
  /** Gets the messages of `trace()`. */
  logger: { trace: (message: string) => void };
}

/** Reads a tree of any kind of nodes, which have `nodeType`, `nodeName`, `localName`, `prefix` and `namespaceURI`. */
export interface DomFacade<Node> {
  getAllAttributes: (element: Node) => Node[];
  getAttribute: (element: Node, name: string) => string | null;
  getChildNodes: (node: Node) => Node[];
  getData: (node: Node) => string;
  getFirstChild: (node: Node) => Node | null;
  getLastChild: (node: Node) => Node | null;
  getNextSibling: (node: Node) => Node | null;
  getPreviousSibling: (node: Node) => Node | null;
  getParentNode: (node: Node) => Node | null;
}

interface Library {
  evaluateXPath: {
    <Node>(
      query: string,
      context: Node,
      facade: DomFacade<Node>,
      variables: object,
      returnType: number,
      options: Options,
    ): unknown;
    ALL_RESULTS_TYPE: number;
  };
  /** Parses at once, and evaluates when the iterator is read. */
  evaluateXPathToAsyncIterator: <Node>(
    query: string,
    context: Node,
    facade: DomFacade<Node>,
    variables: object,
    options: Options,
  ) => AsyncIterableIterator<unknown>;
}

export const evaluateXPath: Library["evaluateXPath"];
export const evaluateXPathToAsyncIterator: Library["evaluateXPathToAsyncIterator"];

/** All of it, where Node reads the file for CommonJS. */
declare const library: Library | undefined;
export { library as default };
