import {
  ApolloClient,
  ApolloLink,
  CombinedGraphQLErrors,
  gql,
  HttpLink,
  InMemoryCache,
  ServerError,
} from "@apollo/client";
import { GraphQLWsLink } from "@apollo/client/link/subscriptions";
import { OperationTypeNode } from "graphql";
import { ClientError, GraphQLClient } from "graphql-request";
import { createClient as createSseClient, NetworkError } from "graphql-sse";
import { createClient as createWsClient } from "graphql-ws";

// Each client as its own documentation says, behind what the test asks of all of them. This folder is a package of its own and
// not part of the type check of the project: what is in it is installed by the first test run.

const errorsOf = (errors) => ({ errors: errors ?? [] });

/** Returns the errors in the body of a refusal by status. */
const fromText = (status, text) => ({ status, ...errorsOf(JSON.parse(text).errors) });

function graphqlRequest({ url, token }) {
  const client = new GraphQLClient(`${url}/graphql`, { headers: { authorization: `Bearer ${token}` } });
  return {
    async run(document, variables) {
      try {
        return { data: await client.request(document, variables), errors: [] };
      } catch (error) {
        if (!(error instanceof ClientError)) throw error;
        const { status, data, errors } = error.response;
        return { status, data, ...errorsOf(errors) };
      }
    },
    close() {},
  };
}

function apollo({ url, token }) {
  const authorization = `Bearer ${token}`;
  const ws = createWsClient({
    url: `${url.replace("http", "ws")}/graphql`,
    connectionParams: { authorization },
    retryAttempts: 0,
  });
  const link = ApolloLink.split(
    ({ operationType }) => operationType === OperationTypeNode.SUBSCRIPTION,
    new GraphQLWsLink(ws),
    new HttpLink({ uri: `${url}/graphql`, headers: { authorization } }),
  );
  const client = new ApolloClient({ link, cache: new InMemoryCache() });
  return {
    async run(text, variables) {
      const document = gql(text);
      const isMutation = document.definitions.some((one) => one.operation === "mutation");
      try {
        const { data, error } = isMutation
          ? await client.mutate({ mutation: document, variables, errorPolicy: "all" })
          : await client.query({ query: document, variables, fetchPolicy: "no-cache", errorPolicy: "all" });
        return { data, ...errorsOf(error?.errors) };
      } catch (error) {
        if (CombinedGraphQLErrors.is(error)) return { data: error.data, ...errorsOf(error.errors) };
        if (ServerError.is(error)) return fromText(error.statusCode, error.bodyText);
        throw error;
      }
    },
    listen(text, variables, onValue) {
      const { promise: ended, resolve } = Promise.withResolvers();
      const subscription = client.subscribe({ query: gql(text), variables }).subscribe({
        // It has errors among its values.
        next: ({ data, error }) => (error === undefined ? onValue({ data }) : resolve(error)),
        error: resolve,
        complete: () => resolve("complete"),
      });
      return { ended, stop: () => subscription.unsubscribe() };
    },
    close: () => ws.dispose(),
  };
}

/** graphql-sse and graphql-ws have the same face. */
function streaming(client, toAnswer) {
  return {
    run(query, variables) {
      return new Promise((resolve) => {
        let last;
        client.subscribe(
          { query, variables },
          {
            next: (value) => (last = value),
            complete: () => resolve({ data: last?.data, ...errorsOf(last?.errors) }),
            error: (error) => resolve(toAnswer(error)),
          },
        );
      });
    },
    listen(query, variables, onValue) {
      const { promise: ended, resolve } = Promise.withResolvers();
      const stop = client.subscribe(
        { query, variables },
        { next: onValue, error: resolve, complete: () => resolve("complete") },
      );
      return { ended, stop };
    },
    close: () => client.dispose(),
  };
}

const graphqlSse = ({ url, token }) =>
  streaming(
    createSseClient({
      url: `${url}/graphql`,
      headers: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    }),
    async (error) => {
      if (!(error instanceof NetworkError) || error.response === undefined) throw error;
      return fromText(error.response.status, await error.response.text());
    },
  );

const graphqlWs = ({ url, token }) =>
  streaming(
    createWsClient({
      url: `${url.replace("http", "ws")}/graphql`,
      connectionParams: { authorization: `Bearer ${token}` },
      retryAttempts: 0,
    }),
    async (error) => {
      if (Array.isArray(error)) return errorsOf(error);
      return { status: error.code, reason: error.reason, errors: [] };
    },
  );

export const clients = {
  "graphql-request": graphqlRequest,
  "@apollo/client": apollo,
  "graphql-sse": graphqlSse,
  "graphql-ws": graphqlWs,
};
