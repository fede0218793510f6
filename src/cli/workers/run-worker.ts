import { servedOf } from '../../server/served-of.ts';
import { startHttp } from '../../transport/http/serve-http.ts';
import { describeFailure } from '../failures/describe-failure.ts';
import { EXIT_CODES, UsageError } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import { remarksOn } from '../terminal/document-remarks.ts';
import { loadServer } from '../target/target.ts';
import type { LoadedServer } from '../target/target.ts';
import { httpOptions } from '../target/transport-flags.ts';
import { findTryLine } from '../target/try-line.ts';
import { HTTP_DEFAULTS } from '../../transport/http/message/http-options.ts';
import type { ServeHttpOptions, StartedHttp } from '../../transport/http/serve-http.ts';
import { WORKER_VARIABLE } from './cluster-worker.ts';
import { assertShared, readAllowed, WORKERS_NEED_HTTP } from './memory-advice.ts';
import { isMessage } from './messages.ts';
import type { FromWorker, MessageOf, ToWorker } from './messages.ts';

/** Whether this process was started as a worker. */
export function isWorker(env: NodeJS.ProcessEnv): boolean {
  return env[WORKER_VARIABLE] !== undefined;
}

/** Options of {@link runWorker}. */
export interface WorkerRun {
  /** Number of workers. */
  readonly count: number;
  /** Flags of the command, for messages. */
  readonly flags: Command['flags'];
}

/** Serves in a worker, until the primary process closes it. Node ends the worker when its channel closes, whatever ends the primary process. */
export async function runWorker(call: CommandCall, { count, flags }: WorkerRun): Promise<number> {
  // Sent to the whole process group by terminals and service managers: the primary process decides.
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
  delete process.env[WORKER_VARIABLE];
  const begun = next('toolwright:begin');
  const closed = next('toolwright:close');
  await tell({ type: 'toolwright:awake' });
  try {
    const { secret } = await begun;
    const [file] = call.positionals;
    const loaded = await loadServer(file, call.terminal);
    const running = await serve(loaded, { call, count, secret });
    const { isReplaced } = await closed;
    await (isReplaced ? running.handOver() : running.close());
    await loaded.close();
    return EXIT_CODES.ok.code;
  } catch (error) {
    const { message, code } = describeFailure(error, flags);
    await tell({ type: 'toolwright:failed', message, code });
    return code;
  }
}

interface ServeParts {
  readonly call: CommandCall;
  readonly count: number;
  readonly secret: string;
}

async function serve(loaded: LoadedServer, { call, count, secret }: ServeParts): Promise<StartedHttp> {
  const { server, transport, auth, documents } = loaded;
  const configured = httpOptions(call, transport, loaded.sessions);
  if (configured === undefined) throw new UsageError(WORKERS_NEED_HTTP);
  const served = servedOf(server);
  if (count > 1) {
    const given = configured.sessions;
    const isShared = given === false || given?.shared !== undefined;
    const sessions = isShared ? [] : (['sessions'] as const);
    const inMemory = [...sessions, ...(served.memoryState?.() ?? [])];
    assertShared(inMemory, readAllowed(call), { count, isConfiguration: loaded.isConfiguration });
  }
  if (served.keys.isRandom) served.keys.replace([secret]);
  const options: ServeHttpOptions = {
    ...configured,
    ...(auth === undefined ? {} : { auth }),
    // Health checks reach only one of the workers, so each of them counts as watched.
    readyDelayMs: HTTP_DEFAULTS.readyDelayMs,
  };
  const running = await startHttp(server, options, () => void tell({ type: 'toolwright:leaving' }));
  const { name, version } = server;
  const { url } = running;
  const tryLine = findTryLine({ url, options }, call.terminal);
  await tell({
    type: 'toolwright:ready',
    serving: { name, version, url, tryLine, remarks: remarksOn(documents) },
  });
  return running;
}

/** The next message of a type. */
function next<TType extends ToWorker['type']>(type: TType): Promise<MessageOf<TType>> {
  return new Promise((resolve) => {
    process.on('message', (message: unknown) => {
      if (isMessage(message, type)) resolve(message);
    });
  });
}

function tell(message: FromWorker): Promise<void> {
  return new Promise((resolve) => {
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
}
