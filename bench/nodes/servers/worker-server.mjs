/** Two tools for `toolwright serve --workers`: one that does nothing, and one that computes for 2 ms. */
import { createServer } from 'toolwright';
import * as z from 'zod';

function compute() {
  const endsAt = process.cpuUsage().user + process.cpuUsage().system + 2000;
  let used = 0;
  while (used < endsAt) {
    const { user, system } = process.cpuUsage();
    used = user + system;
  }
  return 'done';
}

const inputSchema = z.object({});
export default createServer({
  name: 'workers',
  version: '1.0.0',
  rateLimit: false,
  tools: [
    { name: 'nothing', description: 'Does nothing', inputSchema, handler: () => 'done' },
    { name: 'compute', description: 'Computes for 2 ms', inputSchema, handler: compute },
  ],
});
