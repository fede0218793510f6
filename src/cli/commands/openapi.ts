import { writeFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { DefinitionError, ToolwrightError } from '../../errors/errors.ts';
import { EXIT_CODES, UsageError } from '../command.ts';
import type { Command, CommandCall } from '../command.ts';
import { announce, listRefused } from '../openapi/announce.ts';
import { inFlags } from '../openapi/in-flags.ts';
import { loadPlan } from '../openapi/load-plan.ts';
import type { PlannedServer } from '../openapi/load-plan.ts';
import { OPENAPI_FLAGS } from '../openapi/openapi-flags.ts';
import { planImport } from '../openapi/plan-import.ts';
import type { ImportPlan } from '../openapi/plan-import.ts';
import { readExtras } from '../openapi/server-extras.ts';
import { Settings } from '../openapi/settings.ts';
import { showSurvey } from '../openapi/show-survey.ts';
import { surveyPlan } from '../openapi/survey.ts';
import type { Survey } from '../openapi/survey.ts';
import { readTransport } from '../openapi/transport.ts';
import type { ServeHttpOptions } from '../../transport/http/serve-http.ts';
import { formatJson } from '../terminal.ts';
import { serveUntilEnd } from '../transport-flags.ts';
import { VERSION } from '../version.ts';

/** `toolwright openapi` */
export const openapi: Command = {
  name: 'openapi',
  summary: 'Serve the operations of an OpenAPI document as tools',
  usage: ['<document> [options]', '<name>=<document> <name>=<document> \u2026 [options]'],
  details: `A document is a file, a URL, or "-" for standard input: Swagger 2.0, OpenAPI 3.0, 3.1 or 3.2, JSON or YAML. Several need a name each,
which stands in front of the names of their tools. What is for one of them begins with its name: --base-url shop=https://\u2026,
--credential shop.api_key=env:KEY, --headers "shop.X-Key: \u2026". In [brackets]: the variable that stands for a flag that is not given.
What is given on a command line can be read by others on this machine: env:NAME is for secrets.`,
  flags: OPENAPI_FLAGS,
  examples: [
    ['toolwright openapi petstore.yaml --dry-run', 'what would become of each operation, and what it costs'],
    ['toolwright openapi petstore.yaml --credential api_key=env:PETSTORE_KEY', 'for a client that starts it'],
    [
      'toolwright openapi https://api.example.com/openapi.json --http --exposure search',
      'over HTTP, a large API',
    ],
    [
      'toolwright openapi shop=shop.yaml users=users.yaml --tag public',
      'two APIs, of each the operations of a tag',
    ],
  ],
  run: async (call) => {
    if (call.flags['version'] === true) {
      call.terminal.out(VERSION);
      return EXIT_CODES.ok.code;
    }
    try {
      return await run(new Settings(call));
    } catch (error) {
      if (!(error instanceof ToolwrightError)) throw error;
      throw new DefinitionError(inFlags(error.message), { cause: error });
    }
  },
};

async function run(settings: Settings): Promise<number> {
  const http = readTransport(settings);
  const isTrial = settings.isOn('dry-run');
  const plan = await planImport(settings, { isTransport: http === undefined && !isTrial });
  const report = settings.text('report');
  const survey = isTrial || report !== undefined ? await surveyPlan(plan) : undefined;
  if (survey !== undefined && report !== undefined) writeReport(report, survey, settings.call);
  return isTrial && survey !== undefined ? tryOut(survey, settings) : serve(plan, { settings, http });
}

function tryOut(survey: Survey, settings: Settings): number {
  showSurvey(survey, settings.call.terminal);
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
    const counts = announce(loaded, plan, terminal);
    const isStrict = failsStrictly(counts.refused, settings);
    if (isStrict || settings.isOn('verbose')) listRefused(server.reports, terminal);
    if (isStrict) return EXIT_CODES.failed.code;
    assertAnything(server, counts.operations);
    await serveUntilEnd(server, http, terminal);
    return EXIT_CODES.ok.code;
  } finally {
    await server.close();
  }
}

/** Nobody starts a server to offer nothing. */
function assertAnything(server: PlannedServer, operations: number): void {
  if (server.tools.size > 0 || (server.resources?.size ?? 0) > 0) return;
  throw new UsageError(
    operations === 0
      ? 'There are no operations in it: nothing to serve.'
      : 'The filters leave no operation: nothing to serve. --dry-run shows why each is left out.',
  );
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
    throw new UsageError(`--report: ${path} cannot be written.`);
  }
}
