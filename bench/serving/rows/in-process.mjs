import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { SETS } from '../../tools.mjs';
import { isOf } from '../../rounds.mjs';
import { atMost, inTools } from '../lines.mjs';
import { onServerCore } from '../processor.mjs';
import { quick } from '../settings.mjs';

const MAX_FLOOR = 2.2;
const MAX_LIST_US = 5;
const COLUMNS = {
  ours: 'toolwright',
  floor: 'floor',
  'SDK v2': 'SDK v2 McpServer',
  'SDK v1': 'SDK v1 McpServer',
  tmcp: 'tmcp',
};

/** Calls and lists without a transport: the measurements of `run.mjs`, in a separate process. */
export const inProcess = {
  name: 'in-process',
  measure: async (report) => {
    report('everybody in one process');
    const { cpuUs, ratios, text } = await run();
    const find = (kind, name, set) =>
      cpuUs.find((one) => one.kind === kind && one.name === name && isOf(one, set))?.us;
    const figures = (kind, set, columns) =>
      Object.fromEntries(Object.entries(columns).map(([column, name]) => [column, find(kind, name, set)]));
    const calls = SETS.map((set) => ({
      measure: `in-process call, ${inTools(set.size, set.catalogue)}: CPU µs`,
      target: `≤ ${MAX_FLOOR}× baseline`,
      figures: figures('call', set, COLUMNS),
      verdicts: [
        atMost(
          ratios.find((one) => one.name === COLUMNS.ours && isOf(one, set)).ratio,
          MAX_FLOOR,
          'baseline',
        ),
      ],
    }));
    const lists = SETS.map((set) => {
      const columns = { ...COLUMNS, ours: 'toolwright, in pieces' };
      const us = find('list', columns.ours, set);
      return {
        measure: `in-process list, ${inTools(set.size, set.catalogue)}: CPU µs`,
        target: `< ${MAX_LIST_US} µs`,
        figures: figures('list', set, columns),
        verdicts: [{ text: `${us.toFixed(1)} µs`, isMet: us < MAX_LIST_US }],
      };
    });
    return { lines: [...calls, ...lists], details: [text] };
  },
};

async function run() {
  const script = fileURLToPath(new URL('../../run.mjs', import.meta.url));
  const [command, ...args] = onServerCore([
    process.execPath,
    script,
    '--json',
    ...(quick ? ['--quick', '--rounds', '1'] : ['--rounds', '5']),
  ]);
  const { stdout } = await promisify(execFile)(command, args, { maxBuffer: 10_000_000 });
  return JSON.parse(stdout);
}
