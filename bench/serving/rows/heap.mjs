import { Child } from '../child.mjs';
import { HTTP_CONTENDERS } from '../contenders.mjs';
import { createLoad } from '../http-lane.mjs';
import { ERAS } from '../lines.mjs';
import { VERSIONS } from '../messages.mjs';
import { quick } from '../settings.mjs';

const SIZE = 50;
const CALLS = quick ? 10_000 : 100_000;
/** Until code is optimized and caches are filled. */
const WARM_UP = quick ? 5_000 : 30_000;
/** One object kept per call would be more than a megabyte. */
const MAX_GROWTH_MB = 0.5;

/** Growth of the heap after this number of calls, garbage collected before and after. The peers would need minutes. */
export const heap = {
  name: 'heap',
  measure: async (report) => {
    const lines = [];
    for (const era of ERAS) {
      report(VERSIONS[era]);
      const figures = {};
      for (const { name, file } of HTTP_CONTENDERS.filter((one) => ['ours', 'floor'].includes(one.name)))
        figures[name] = await growthMb({ name, file, era });
      lines.push({
        measure: `heap growth over ${CALLS.toLocaleString('en')} HTTP calls, ${VERSIONS[era]}: MB`,
        target: `none (≤ ${MAX_GROWTH_MB})`,
        figures: Object.fromEntries(Object.entries(figures).map(([name, mb]) => [name, mb.toFixed(2)])),
        verdicts: [{ text: `${figures.ours.toFixed(2)} MB`, isMet: figures.ours <= MAX_GROWTH_MB }],
      });
    }
    return { lines };
  },
};

async function growthMb({ name, file, era }) {
  const child = await Child.start(file, { size: SIZE, era }, { flags: ['--expose-gc'] });
  const load = await createLoad({ name, port: child.port, size: SIZE, era });
  await load.connect();
  await load.run({ count: WARM_UP });
  const before = await child.ask('heap');
  await load.run({ count: CALLS });
  const after = await child.ask('heap');
  load.disconnect();
  await child.stop();
  return (after - before) / 1024 / 1024;
}
