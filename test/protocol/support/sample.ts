import { createServer } from '../../../src/index.ts';
import type { ServerOptions, ToolwrightServer } from '../../../src/index.ts';
import { serveHttp } from '../../../src/http.ts';
import type { ServeHttpOptions } from '../../../src/http.ts';
import { FakeClock } from '../../support/fake-clock.ts';
import { recordLog } from '../../support/log-recorder.ts';
import type { LogEntry } from '../../support/log-recorder.ts';
import { RawHttp } from './raw-http.ts';
import { Gate } from './gate.ts';
import { samplePrompts, sampleResources } from './sample-components.ts';
import { sampleTools } from './sample-tools.ts';

/** Options of the server; undefined removes a part of the sample. */
export type SampleOptions = {
  readonly [TKey in keyof Omit<ServerOptions, 'clock' | 'logger'>]?: ServerOptions[TKey] | undefined;
};

/** A deterministic server. */
export interface Sample {
  readonly server: ToolwrightServer;
  readonly clock: FakeClock;
  readonly gate: Gate;
  readonly log: readonly LogEntry[];
  /** Runs work that waits for the clock, and advances the clock meanwhile. */
  settle(work: () => Promise<void>): Promise<void>;
}

/** The sample server: every kind of tool, prompt and resource that a requirement needs. */
export function startSample(options: SampleOptions = {}): Sample {
  const clock = new FakeClock();
  const gate = new Gate();
  const { logger, entries } = recordLog();
  const server = createServer({
    name: 'sample',
    version: '1.2.3',
    tools: sampleTools(gate),
    prompts: samplePrompts(),
    resources: sampleResources(),
    ...options,
    clock,
    logger,
  } as ServerOptions);
  return { server, clock, gate, log: entries, settle: (work) => settle(clock, work) };
}

/** The sample server behind HTTP. */
export interface HttpSample extends Sample, AsyncDisposable {
  readonly http: RawHttp;
  readonly port: number;
  /** Closes the endpoint, as at the end of a process. */
  shutDown(): Promise<void>;
}

export async function startHttp(
  options: SampleOptions = {},
  httpOptions: ServeHttpOptions = {},
): Promise<HttpSample> {
  const sample = startSample(options);
  const running = await serveHttp(sample.server, { port: 0, ...httpOptions });
  const http = new RawHttp(running.port);
  const shutDown = (): Promise<void> => sample.settle(() => running.close());
  return {
    ...sample,
    http,
    port: running.port,
    shutDown,
    [Symbol.asyncDispose]: async () => {
      http.close();
      await shutDown();
      await sample.settle(() => sample.server.close());
    },
  };
}

async function settle(clock: FakeClock, work: () => Promise<void>): Promise<void> {
  const done = work().then(() => true);
  const moveOn = async (): Promise<boolean> => {
    clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
    return false;
  };
  for (let isDone = false; !isDone;) isDone = await Promise.race([done, moveOn()]);
}
