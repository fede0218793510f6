/** Fifty clients and a server of their own, as in `npm run soak`, but for seconds; tells what was found. */
import { soak } from '../../../scripts/soak/soak.mjs';

const { seconds, settleMs } = JSON.parse(process.argv[2]);
const found = await soak({ minutes: seconds / 60, sampleMs: seconds * 250, keptMs: 4000, settleMs });
process.send({ found });
