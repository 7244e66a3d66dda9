import "../../../../system/surfaces/graphql/subscriptions.test.ts";
