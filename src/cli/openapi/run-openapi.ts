import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { didYouMean } from '../../errors/nearest-names.ts';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { EXIT_CODES, UsageError } from '../terminal/command.ts';
import type { CommandCall } from '../terminal/command.ts';
import { formatJson } from '../terminal/terminal.ts';
import type { Terminal } from '../terminal/terminal.ts';
import { serveUntilEnd } from '../target/transport-flags.ts';
import { announce, listRefused } from './announce.ts';
import { loadPlan } from './load-plan.ts';
import type { PlannedServer } from './load-plan.ts';
import { planImport } from './plan/plan-import.ts';
import type { ImportPlan } from './plan/plan-import.ts';
import { readExtras } from './server-extras.ts';
import { Settings } from './plan/settings.ts';
import { showSurvey } from './show-survey.ts';
import { surveyPlan } from './survey.ts';
import type { Survey } from './survey.ts';
import { readTransport } from './transport.ts';

/** Runs `toolwright openapi`. */
export async function runOpenApi(call: CommandCall): Promise<number> {
  const settings = new Settings(call);
  const http = readTransport(settings);
  const isTrial = settings.isOn('dry-run');
  const plan = await planImport(settings, { isTransport: http === undefined && !isTrial });
  const report = settings.text('report');
  const survey = isTrial || report !== undefined ? await surveyPlan(plan) : undefined;
  if (survey !== undefined && report !== undefined) writeReport(report, survey, settings.call);
  return isTrial && survey !== undefined ? tryOut(survey, settings) : serve(plan, { settings, http });
}

function tryOut(survey: Survey, settings: Settings): number {
  showSurvey(survey, settings.call.terminal, { listsLeftOut: settings.isOn('verbose') });
  return failsStrictly(survey.totals.refused, settings) ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
}

interface ServeParts {
  readonly settings: Settings;
  readonly http: ServeHttpOptions | undefined;
}

async function serve(plan: ImportPlan, { settings, http }: ServeParts): Promise<number> {
  const { terminal } = settings.call;
  const [name, version] = [settings.text('name'), settings.text('server-version')];
  const loaded = await loadPlan(plan, {
    ...(await readExtras(settings)),
    ...(name === undefined ? {} : { name }),
    ...(version === undefined ? {} : { version }),
  });
  const { server } = loaded;
  try {
    assertPinned(server, plan);
    const counts = announce(loaded, plan, terminal);
    const isStrict = failsStrictly(counts.refused, settings);
    if (isStrict || settings.isOn('verbose')) listRefused(server.reports, terminal);
    if (isStrict) return EXIT_CODES.failed.code;
    if (isEmpty(server, counts.operations, terminal)) return EXIT_CODES.failed.code;
    await serveUntilEnd(server, http, terminal);
    return EXIT_CODES.ok.code;
  } finally {
    await server.close();
  }
}

function assertPinned({ tools }: PlannedServer, { pinned }: ImportPlan): void {
  const missing = pinned.find((name) => !tools.has(name));
  if (missing === undefined) return;
  const hint = didYouMean(
    missing,
    tools.getToolDefinitions().map(({ name }) => name),
  );
  throw new UsageError(`Unknown tool in --pin: "${missing}".${hint}`);
}

/** Whether there is nothing to serve. Filters that match no operation are a usage error; a document without operations is not. */
function isEmpty(server: PlannedServer, operations: number, { err, paintErr }: Terminal): boolean {
  if (server.tools.size > 0 || (server.resources?.size ?? 0) > 0) return false;
  if (operations > 0)
    throw new UsageError(
      'The filters match no operation: nothing to serve. Use --dry-run --verbose to see why each operation is left out.',
    );
  err(`${paintErr.red('error')} The document has no operations: nothing to serve.`);
  return true;
}

function failsStrictly(refused: number, settings: Settings): boolean {
  if (refused === 0 || !settings.isOn('strict')) return false;
  const { err, paintErr } = settings.call.terminal;
  err(
    `${paintErr.red('error')} ${refused === 1 ? '1 operation is' : `${refused} operations are`} refused (--strict).`,
  );
  return true;
}

function writeReport(file: string, survey: Survey, { terminal }: CommandCall): void {
  const path = resolve(terminal.cwd, file);
  try {
    writeFileSync(path, `${formatJson(survey)}\n`);
  } catch {
    throw new UsageError(`--report: cannot write ${path}.`);
  }
}
