import "../../../system/corpora/detected-steps.test.ts";
