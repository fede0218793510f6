/** Fifty clients and a server of their own, as in `npm run soak`, but for seconds; tells what was found. */
import { soak } from '../../../scripts/soak/soak.mjs';

const { seconds, ...options } = JSON.parse(process.argv[2]);
const found = await soak({ minutes: seconds / 60, sampleMs: seconds * 250, ...options });
process.send({ found });
