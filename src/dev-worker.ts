/** Entry of the process that runs the server under `toolwright dev`. */
import { runWorker } from './cli/dev/worker.ts';

await runWorker(process.argv[2]);
