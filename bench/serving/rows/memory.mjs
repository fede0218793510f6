import { readFileSync } from 'node:fs';
import { setTimeout } from 'node:timers/promises';
import { shuffle } from '../../statistics.mjs';
import { Child } from '../child.mjs';
import { HTTP_CONTENDERS } from '../contenders.mjs';
import { Samples } from '../group.mjs';
import { createLoad } from '../http-lane.mjs';
import { atMost, figuresOf, inTools } from '../lines.mjs';
import { quick } from '../settings.mjs';

const SIZE = 500;
const MAX_FLOOR = 1.1;
const STARTS = quick ? 1 : 5;

/** Private memory of an idle server, after a list and a garbage collection. */
export const memory = {
  name: 'memory',
  measure: async (report) => {
    if (process.platform !== 'linux') return { lines: [], details: ['memory: measured on Linux alone'] };
    const lines = [];
    for (const catalogue of ['plain', 'real']) lines.push(await weighAll(catalogue, report));
    return { lines };
  },
};

async function weighAll(catalogue, report) {
  const samples = new Samples(HTTP_CONTENDERS.map(({ name }) => name));
  for (let round = 1; round <= STARTS; round += 1) {
    report(`${inTools(SIZE, catalogue)}, start ${round} of ${STARTS}`);
    for (const contender of shuffle(HTTP_CONTENDERS)) {
      const mb = await weigh(contender, catalogue);
      samples.add(contender.name, { mb });
    }
  }
  return {
    measure: `private memory at rest over HTTP, ${inTools(SIZE, catalogue)}: MB`,
    target: `≤ ${MAX_FLOOR}× baseline`,
    figures: figuresOf(samples, 'mb'),
    verdicts: [atMost(samples.ratio('ours', 'floor', 'mb'), MAX_FLOOR, 'baseline')],
  };
}

async function weigh({ name, file, eras }, catalogue) {
  const [era] = eras;
  const child = await Child.start(file, { size: SIZE, catalogue, era }, { flags: ['--expose-gc'] });
  const load = await createLoad({ name, port: child.port, kind: 'list', size: SIZE, catalogue, era });
  await load.connect();
  await load.run({ count: 1 });
  load.disconnect();
  const mb = await settle(child);
  await child.stop();
  return mb;
}

/**
 * Collects garbage once, and waits until the value is stable. Repeated collections would make V8 release memory that no idle server
 * releases.
 */
async function settle(child) {
  await child.ask('heap');
  let mb = privateMb(child.pid);
  for (let attempt = 0; attempt < 20; attempt += 1) {
    await setTimeout(100);
    const now = privateMb(child.pid);
    if (now === mb) break;
    mb = now;
  }
  return mb;
}

function privateMb(pid) {
  const rollup = readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8');
  const parts = [...rollup.matchAll(/^Private_(?:Clean|Dirty): +(\d+) kB$/gm)];
  return parts.reduce((sum, [, kb]) => sum + Number(kb), 0) / 1024;
}
