import * as z from 'zod';
import { defineTool } from '../../../src/index.ts';
import type { AnyToolDefinition } from '../../../src/index.ts';
import { RawStdio } from './raw-stdio.ts';
import { startHttp, startSample } from './sample.ts';
import type { Sample, SampleOptions } from './sample.ts';
import { Gate } from './gate.ts';
import { samplePrompts, sampleResources } from './sample-components.ts';
import { sampleTools } from './sample-tools.ts';
import type { Stage } from './transcript.ts';

const TOOLS: ReadonlySet<string> = new Set([
  'add',
  'primes',
  'media',
  'count',
  'greet',
  'ask_client',
  'slow',
]);

/** The server of the transcripts: a part of the sample, so that its lists are short. */
function sampleOptions(): SampleOptions {
  const isWanted = ({ name }: AnyToolDefinition): boolean => TOOLS.has(name);
  return {
    tools: sampleTools(new Gate()).filter(isWanted),
    prompts: samplePrompts().slice(0, 1),
    resources: sampleResources().filter(({ name }) => ['manual', 'note'].includes(name)),
  };
}

function actionsOf({ server }: Sample): Stage['actions'] {
  return {
    'adds a tool': () => {
      server.tools?.register(
        defineTool({ name: 'extra', description: 'Extra', inputSchema: z.object({}), handler: () => '' }),
      );
    },
    'updates docs://manual': () => server.resources?.notifyUpdated('docs://manual'),
  };
}

/** The environment in which conversations of one transport are replayed. */
export async function startStage(transport: string): Promise<Stage & AsyncDisposable> {
  if (transport !== 'stdio') {
    const sample = await startHttp(sampleOptions(), { sse: transport === 'sse' });
    const dispose = (): PromiseLike<void> => sample[Symbol.asyncDispose]();
    return { http: sample.http, actions: actionsOf(sample), [Symbol.asyncDispose]: dispose };
  }
  const sample = startSample(sampleOptions());
  const stdio = new RawStdio(sample);
  const dispose = (): Promise<void> =>
    sample.settle(async () => {
      await stdio.running.close();
      await sample.server.close();
    });
  return { stdio, actions: actionsOf(sample), [Symbol.asyncDispose]: dispose };
}
