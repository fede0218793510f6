/** The process in which a server lives under `toolwright dev`. */
import { runWorker } from './cli/dev/worker.ts';

await runWorker(process.argv[2]);
