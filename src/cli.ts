#!/usr/bin/env node
/** The command `toolwright`. */
import { main } from './cli/main.ts';
import { processTerminal } from './cli/terminal/process-terminal.ts';

const terminal = processTerminal();
const code = await main(process.argv.slice(2), terminal);
await terminal.flush();
// Loaded modules may keep timers or connections open, which would keep the process running.
process.exit(code);
