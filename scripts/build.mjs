import { assertNode, build, ensureInstalled } from './steps.mjs';

assertNode();
ensureInstalled();
process.exitCode = build().ok ? 0 : 1;
