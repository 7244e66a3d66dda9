import {
  CodeActionRequest,
  createProtocolConnection,
  DidChangeTextDocumentNotification,
  DidChangeWatchedFilesNotification,
  DidChangeWorkspaceFoldersNotification,
  DidCloseTextDocumentNotification,
  DidOpenTextDocumentNotification,
  DidSaveTextDocumentNotification,
  DocumentFormattingRequest,
  ExitNotification,
  InitializedNotification,
  InitializeRequest,
  PublishDiagnosticsNotification,
  RegistrationRequest,
  ShowMessageNotification,
  ShutdownRequest,
  StreamMessageReader,
  StreamMessageWriter,
} from "vscode-languageserver-protocol/node";

/**
 * A client over the streams of a server, used as in the documentation of the package.
 * @returns what the tests need of it
 */
export function connect(stdout, stdin) {
  const connection = createProtocolConnection(
    new StreamMessageReader(stdout),
    new StreamMessageWriter(stdin),
    console,
  );
  const diagnostics = [];
  const messages = [];
  const registrations = [];
  connection.onNotification(PublishDiagnosticsNotification.type, (params) => void diagnostics.push(params));
  connection.onNotification(ShowMessageNotification.type, (params) => void messages.push(params));
  connection.onRequest(
    RegistrationRequest.type,
    (params) => void registrations.push(...params.registrations),
  );
  connection.listen();
  const open = (uri, text, version = 1) =>
    connection.sendNotification(DidOpenTextDocumentNotification.type, {
      textDocument: { uri, languageId: "plaintext", version, text },
    });
  return {
    diagnostics,
    messages,
    registrations,
    initialize: async (params) => {
      const result = await connection.sendRequest(InitializeRequest.type, {
        processId: null,
        rootUri: null,
        ...params,
      });
      await connection.sendNotification(InitializedNotification.type, {});
      return result;
    },
    open,
    change: (uri, version, contentChanges) =>
      connection.sendNotification(DidChangeTextDocumentNotification.type, {
        textDocument: { uri, version },
        contentChanges,
      }),
    save: (uri) =>
      connection.sendNotification(DidSaveTextDocumentNotification.type, { textDocument: { uri } }),
    close: (uri) =>
      connection.sendNotification(DidCloseTextDocumentNotification.type, { textDocument: { uri } }),
    changeFolders: (added, removed) =>
      connection.sendNotification(DidChangeWorkspaceFoldersNotification.type, { event: { added, removed } }),
    watched: (uri) =>
      connection.sendNotification(DidChangeWatchedFilesNotification.type, { changes: [{ uri, type: 2 }] }),
    format: (uri, token) =>
      connection.sendRequest(
        DocumentFormattingRequest.type,
        { textDocument: { uri }, options: { tabSize: 2, insertSpaces: true } },
        token,
      ),
    actions: (uri, only) =>
      connection.sendRequest(CodeActionRequest.type, {
        textDocument: { uri },
        range: { start: { line: 0, character: 0 }, end: { line: 0, character: 0 } },
        context: { diagnostics: [], ...(only && { only }) },
      }),
    request: (method, params) => connection.sendRequest(method, params),
    shutdown: async () => {
      await connection.sendRequest(ShutdownRequest.type);
      await connection.sendNotification(ExitNotification.type);
    },
    dispose: () => connection.dispose(),
  };
}
export { CancellationTokenSource } from "vscode-languageserver-protocol/node";
