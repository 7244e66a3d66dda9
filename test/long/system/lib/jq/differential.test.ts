import "../../../../system/lib/jq/differential.test.ts";
