import * as z from 'zod';
import { createServer, defineTool } from '../../../src/index.ts';
import { serveStdio } from '../../../src/stdio.ts';

// A process of its own, with a tool that does what tools must not do.
serveStdio(
  createServer({
    name: 'noisy',
    version: '1.0.0',
    tools: [
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
