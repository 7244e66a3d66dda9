// Runs before the first paint, as the one script that the parser of a page waits for: what changes later would flash.
import { readAccountName, showAccountName } from "./account-name.ts";
import { readColours, setColours } from "./colours.ts";

setColours(readColours());
showAccountName(readAccountName());
