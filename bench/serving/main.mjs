/** Measures every target and prints one table: Toolwright, the baseline, the peers, and whether each target is met. */
import { isMet } from './lines.mjs';
import { describeMachine, formatMachine } from './machine.mjs';
import { writePage } from './page.mjs';
import { pinLoad } from './processor.mjs';
import { call } from './rows/call.mjs';
import { fetchFace } from './rows/fetch.mjs';
import { heap } from './rows/heap.mjs';
import { identity } from './rows/identity.mjs';
import { imported } from './rows/imported.mjs';
import { inProcess } from './rows/in-process.mjs';
import { install } from './rows/install.mjs';
import { list } from './rows/list.mjs';
import { memory } from './rows/memory.mjs';
import { session } from './rows/session.mjs';
import { start } from './rows/start.mjs';
import { stdio } from './rows/stdio.mjs';
import { stream } from './rows/stream.mjs';
import { check, json, only, profile, quick, write } from './settings.mjs';
import { formatLines } from './table.mjs';

const ROWS = [
  call,
  list,
  inProcess,
  imported,
  identity,
  stdio,
  stream,
  session,
  fetchFace,
  start,
  memory,
  heap,
  install,
];

pinLoad();
if (profile === undefined) await measureAll();
else console.log(await profileRow(find(profile)));
process.exit();

async function measureAll() {
  const rows = only.length === 0 ? ROWS : only.map(find);
  const machine = describeMachine();
  const lines = [];
  const details = [];
  for (const row of rows) {
    const measured = await row.measure((what) => console.error(`${row.name}: ${what}`));
    lines.push(...measured.lines);
    details.push(...(measured.details ?? []));
    const isMissed = !measured.lines.every(isMet);
    if (isMissed && row.profile !== undefined && !quick) details.push(await profileRow(row));
  }
  const missed = lines.filter((line) => !isMet(line));
  const figures = `${formatMachine(machine)}\n\n${formatLines(lines)}`;
  if (json)
    console.log(
      JSON.stringify({ machine, lines: lines.map((line) => ({ ...line, isMet: isMet(line) })) }, null, 2),
    );
  else
    console.log([...details, figures, `${lines.length - missed.length} of ${lines.length} met`].join('\n\n'));
  if (write !== undefined) writePage(write, figures);
  if (check && missed.length > 0) process.exitCode = 1;
}

async function profileRow(row) {
  if (row.profile === undefined) return `${row.name} has no profile, because it measures no CPU time.`;
  console.error(`${row.name}: profiling`);
  return `${row.name}: CPU time of Toolwright by function\n\n${await row.profile()}`;
}

function find(name) {
  const row = ROWS.find((one) => one.name === name);
  if (row === undefined) {
    console.error(`Unknown row "${name}". Known rows: ${ROWS.map((one) => one.name).join(', ')}.`);
    process.exit(1);
  }
  return row;
}
