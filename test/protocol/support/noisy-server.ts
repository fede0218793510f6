import * as z from 'zod';
import { createServer, defineTool } from '../../../src/index.ts';
import { serveStdio } from '../../../src/stdio.ts';

// Somebody has put a function of their own in the place of this one before, which forgets to say what the real one said.
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
if (process.env['WRAPPED'] === '1')
  process.stdout.write = ((...args: unknown[]) => void write(...args)) as never;

// A process of its own, with a tool that does what tools must not do.
serveStdio(
  createServer({
    name: 'noisy',
    version: '1.0.0',
    tools: [
      defineTool({
        name: 'counting',
        description: 'Says how far it is',
        inputSchema: z.object({}),
        handler: async ({ context }) => {
          for (let step = 1; step <= 3; step += 1) await context.progress(step, 3);
          return 'counted';
        },
      }),
      defineTool({
        name: 'noisy',
        description: 'Prints',
        inputSchema: z.object({}),
        handler: () => {
          console.log('printed by a tool');
          process.stdout.write('written by a tool\n');
          return 'quiet';
        },
      }),
    ],
  }),
);
