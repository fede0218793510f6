import * as z from 'zod';
import { createServer, defineTool } from '../../../src/index.ts';
import { serveStdio } from '../../../src/stdio.ts';

// A replacement of this function that drops its return value, as some programs install one.
const write = process.stdout.write.bind(process.stdout) as (...args: unknown[]) => boolean;
if (process.env['WRAPPED'] === '1')
  process.stdout.write = ((...args: unknown[]) => void write(...args)) as never;

// A process with a tool that misbehaves on standard output.
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
