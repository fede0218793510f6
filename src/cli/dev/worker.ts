import { sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { toShownFailure } from '../../errors/log-thrown.ts';
import { authSourceOf } from '../../config/auth/auth-source.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import { servedOf } from '../../server/served-of.ts';
import { withinTime } from '../../base/time/within-time.ts';
import { watchStrayErrors } from '../../transport/stray-errors.ts';
import type { Served } from '../../wire/served/served.ts';
import { UsageError } from '../terminal/command.ts';
import { createPaint } from '../terminal/terminal.ts';
import { remarksOn } from '../terminal/document-remarks.ts';
import { loadServer } from '../target/target.ts';
import type { LoadedServer } from '../target/target.ts';
import { reportError } from './error-report.ts';
import { isKind, KINDS } from './messages.ts';
import type { FromWorker, ServerSketch, ToWorker } from './messages.ts';
import { reportModules, requiredFiles } from './module-reports.ts';
import { WorkerRequests } from './worker-requests.ts';

/** The folder of the framework's files: `dist/bundle` in the package. */
const FRAMEWORK = fileURLToPath(new URL('.', import.meta.url));

/** Drain time after an uncaught error. */
const CRASH_DRAIN_MS = 5000;

/**
 * Runs the server in the worker process of `toolwright dev`. The process is replaced whenever a file of the server changes; its parent keeps
 * the connections, and sends every request here.
 */
export async function runWorker(file: string | undefined): Promise<void> {
  // Ctrl-C is handled by the parent process, which then closes this one.
  process.on('SIGINT', () => {});
  process.on('disconnect', () => process.exit());
  // Stack frames show the position in the source, not in the compiled file.
  process.setSourceMapsEnabled(true);
  reportModules((loaded) => tellFiles([loaded]));
  let loaded: LoadedServer;
  try {
    const terminal = { cwd: process.cwd(), err: console.error, paintErr: createPaint(false) };
    loaded = await loadServer(file, terminal, { onFile: (read) => tellFiles([read]) });
  } catch (error) {
    // The last modules are reported in the next turns of the event loop.
    await new Promise((resolve) => setImmediate(() => setImmediate(resolve)));
    tellFiles(requiredFiles());
    await tell({ type: 'failed', message: describe(error) });
    process.exit(1);
  }
  tellFiles([loaded.file, ...requiredFiles()]);
  serve(loaded);
}

function serve(loaded: LoadedServer): void {
  const served = servedOf(loaded.server);
  const requests = new WorkerRequests(served, (message) => void tell(message));
  served.errorWatch.onUnexpected = (error, context) =>
    void tell({
      type: 'thrown',
      report: reportError(error, context, { cwd: process.cwd(), framework: FRAMEWORK }),
    });
  served.bus.subscribe((event) => {
    if (isKind(event.kind)) void tell({ type: 'changed', sketch: sketchOf(served, loaded) });
    void tell({ type: 'event', event });
  });
  const close = async (drainMs: number = CRASH_DRAIN_MS): Promise<void> => {
    await withinTime(requests.idle(), { clock: served.clock, ms: drainMs }).catch(() => {});
    await loaded.close();
    await told;
  };
  watchStrayErrors({ served, policy: 'log', close: () => close() });
  process.on('message', (message: ToWorker) => {
    if (message.type === 'close') void close(message.drainMs).finally(() => process.exit());
    else requests.take(message);
  });
  void tell({ type: 'ready', sketch: sketchOf(served, loaded) });
}

function sketchOf(served: Served, loaded: LoadedServer): ServerSketch {
  const { server, transport, documents, principal } = loaded;
  const { introduction, limits, announced } = served;
  const { resources } = server;
  return {
    info: introduction.info,
    instructions: introduction.instructions,
    limits,
    kinds: KINDS.filter((kind) => announced[kind] !== undefined),
    uris: (resources?.list({}) ?? []).map(({ key }) => key),
    uriTemplates: (resources?.listTemplates({}) ?? []).map(({ key }) => key),
    transport,
    auth: authSourceOf(server),
    principal,
    remarks: remarksOn(documents),
  };
}

/** Reports loaded files except packages, which rarely change and have too many files to watch. */
function tellFiles(files: readonly string[]): void {
  const own = files.filter((file) => !file.includes(`${sep}node_modules${sep}`));
  if (own.length > 0) void tell({ type: 'files', files: own });
}

/** Resolves when the last message has been sent. */
let told: Promise<void> = Promise.resolve();

function tell(message: FromWorker): Promise<void> {
  told = new Promise((resolve) => {
    // The parent has disconnected, so this process ends too.
    if (process.send === undefined || !process.connected) resolve();
    else process.send(message, undefined, undefined, () => resolve());
  });
  return told;
}

/** The error message for the developer. */
function describe(error: unknown): string {
  if (error instanceof ToolwrightError || error instanceof UsageError) return error.message;
  return toShownFailure(error);
}
