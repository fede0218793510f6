/** Fifty clients and a server, as in `npm run soak`, but for seconds; reports the findings. */
import { soak } from '../../../scripts/soak/soak.mjs';

const { seconds, ...options } = JSON.parse(process.argv[2]);
const found = await soak({ minutes: seconds / 60, sampleMs: seconds * 250, ...options });
process.send({ found });
