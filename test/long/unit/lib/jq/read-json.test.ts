import "../../../../unit/lib/jq/read-json.test.ts";
