import "../../../../unit/lib/secrets/generated.test.ts";
