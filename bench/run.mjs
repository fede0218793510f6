import { parseArgs } from 'node:util';
import { floor, floorSync } from './contenders/floor.mjs';
import { sdkV1 } from './contenders/sdk-v1.mjs';
import { sdkV2Server } from './contenders/sdk-v2-server.mjs';
import { sdkV2 } from './contenders/sdk-v2.mjs';
import { tmcp } from './contenders/tmcp.mjs';
import { toolwrightOnSdkV1 } from './contenders/toolwright-on-sdk-v1.mjs';
import { toolwrightOnSdkV2 } from './contenders/toolwright-on-sdk-v2.mjs';
import { toolwrightPieces } from './contenders/toolwright-pieces.mjs';
import { toolwrightSync } from './contenders/toolwright-sync.mjs';
import { toolwright } from './contenders/toolwright.mjs';
import { measureFlatness } from './flatness.mjs';
import { formatFlatness, formatTable, toFigures } from './report.mjs';
import { createTracks, runRound, warmUpAll } from './rounds.mjs';

const { values } = parseArgs({
  options: {
    quick: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    json: { type: 'boolean', default: false },
    rounds: { type: 'string' },
  },
});
const rounds = Number(values.rounds ?? (values.quick ? 3 : 7));
const time = values.quick ? { warmMs: 150, batchMs: 50, rounds } : { warmMs: 300, batchMs: 120, rounds };

console.error('Toolwright and the baseline alone');
const matches = [
  { ours: toolwright, floor },
  { ours: toolwrightSync, floor: floorSync },
];
const pairs = await measureFlatness(matches, time);
const { lines, isFlat } = formatFlatness(pairs);

const { tracks, close } = await createTracks([
  floor,
  toolwright,
  toolwrightPieces,
  toolwrightSync,
  toolwrightOnSdkV1,
  toolwrightOnSdkV2,
  tmcp,
  sdkV1,
  sdkV2Server,
  sdkV2,
]);
console.error('all contenders: warm-up');
await warmUpAll(tracks, time);
for (let round = 1; round <= rounds; round += 1) {
  console.error(`all contenders: round ${round} of ${rounds}`);
  await runRound(tracks);
}
await close();

const text = [formatTable(tracks, 'call'), formatTable(tracks, 'list'), lines.join('\n')].join('\n\n');
console.log(values.json ? JSON.stringify({ ...toFigures(tracks, pairs), text }) : text);
if (values.check && !isFlat) process.exitCode = 1;
