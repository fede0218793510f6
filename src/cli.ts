#!/usr/bin/env node
/** The command `toolwright`. */
import { main } from './cli/main.ts';
import { processTerminal } from './cli/terminal/process-terminal.ts';

const terminal = processTerminal();
const code = await main(process.argv.slice(2), terminal);
await terminal.flush();
// Not left to Node: what was loaded may hold a timer or a pool of connections open, and would keep this waiting for ever.
process.exit(code);
