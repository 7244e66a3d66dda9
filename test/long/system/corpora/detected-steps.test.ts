import "../../../../unit/tools/text/input-detector-steps.test.ts";
