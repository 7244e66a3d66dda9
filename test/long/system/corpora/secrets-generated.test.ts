import "../../../system/corpora/secrets-generated.test.ts";
