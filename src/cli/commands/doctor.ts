import { createRequire } from 'node:module';
import { join } from 'node:path';
import { toLoggedError } from '../../errors/log-thrown.ts';
import { LinkError } from '../../client/link.ts';
import { RpcFailure } from '../../client/rpc-client.ts';
import type { RpcClient } from '../../client/rpc-client.ts';
import { ToolwrightError } from '../../errors/errors.ts';
import { unstatedDefaults } from '../../tools/compile/unstated-defaults.ts';
import { EXIT_CODES, textFlags, UsageError } from '../terminal/command.ts';
import type { Command, CommandCall } from '../terminal/command.ts';
import {
  connectTarget,
  disconnect,
  NoConfigurationError,
  TARGET_FLAGS,
  TARGET_HELP,
} from '../target/target.ts';
import { checkOpenness, checkUrl } from '../target/open-to-world.ts';
import type { Finding } from '../target/open-to-world.ts';
import type { ConnectedTarget, LoadedServer } from '../target/target.ts';
import { countOf, formatJson, harmless, oneLine } from '../terminal/terminal.ts';

/** `toolwright doctor` */
export const doctor: Command = {
  name: 'doctor',
  summary: 'Check a server and its setup, and say how to fix problems',
  usage: ['[target] [options]', '[options] -- <command>'],
  details: TARGET_HELP,
  takesCommand: true,
  flags: TARGET_FLAGS,
  examples: [
    ['toolwright doctor', 'check the configuration in this folder'],
    ['toolwright doctor -- node server.js', 'start a server and check it'],
  ],
  run: async (call) => {
    const findings = [...checkSetup(call), ...(await checkServer(call))];
    const { terminal } = call;
    if (call.flags['json'] === true) terminal.out(formatJson(findings));
    else for (const line of findings.flatMap((finding) => format(finding, call))) terminal.out(line);
    const isBad = findings.some(({ state }) => state === 'bad');
    return isBad ? EXIT_CODES.failed.code : EXIT_CODES.ok.code;
  },
};

const MARKS = { good: 'ok  ', odd: 'note', bad: 'bad ' } as const;

function format({ state, what, advice }: Finding, { terminal }: CommandCall): string[] {
  const { green, red, yellow, dim } = terminal.paintOut;
  const paint = { good: green, odd: yellow, bad: red }[state];
  return [
    `${paint(MARKS[state])} ${harmless(what)}`,
    ...(advice === undefined ? [] : [dim(`     ${harmless(advice)}`)]),
  ];
}

const NODE_FLOOR = [20, 19] as const;

function checkSetup({ terminal }: CommandCall): Finding[] {
  const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
  const isNew = major > NODE_FLOOR[0] || (major === NODE_FLOOR[0] && minor >= NODE_FLOOR[1]);
  const node: Finding = isNew
    ? { state: 'good', what: `Node ${process.versions.node}` }
    : {
        state: 'bad',
        what: `Node ${process.versions.node}`,
        advice: `Install Node ${NODE_FLOOR.join('.')} or newer.`,
      };
  const find = createRequire(join(terminal.cwd, 'package.json'));
  const libraries = ['zod', 'arktype', 'valibot'].filter((name) => isThere(find, name));
  return [
    node,
    libraries.length > 0
      ? { state: 'good', what: `Installed schema libraries: ${libraries.join(', ')}` }
      : {
          state: 'odd',
          what: 'No schema library is installed in this folder',
          advice:
            'Tools in code need one, or plain JSON Schema. Run: npm install zod. HTTP tools of a configuration need none.',
        },
  ];
}

function isThere(find: NodeJS.Require, name: string): boolean {
  try {
    find.resolve(name);
    return true;
  } catch {
    return false;
  }
}

async function checkServer(call: CommandCall): Promise<Finding[]> {
  let connected: ConnectedTarget;
  try {
    connected = await connectTarget(call, { maxWords: 0 });
  } catch (error) {
    if (error instanceof UsageError && !(error instanceof NoConfigurationError)) throw error;
    return [toFinding(error)];
  }
  const { client, loaded, url } = connected;
  try {
    return [
      ...(await checkClient(client)),
      ...(loaded === undefined ? [] : checkLoaded(loaded)),
      ...(url === undefined || textFlags(call, 'header').length > 0 ? [] : checkUrl(url)),
    ];
  } catch (error) {
    const { what } = toFinding(error);
    return [{ state: 'bad', what: `The server failed: ${what}` }];
  } finally {
    await disconnect(client);
  }
}

/** The finding for an error that prevents all further checks. */
function toFinding(error: unknown): Finding {
  if (error instanceof NoConfigurationError)
    return {
      state: 'bad',
      what: error.message,
      advice: 'To create a project in this folder: toolwright init',
    };
  if (error instanceof ToolwrightError || error instanceof LinkError || error instanceof RpcFailure)
    return { state: 'bad', what: error.message, advice: 'The server was not checked.' };
  const { name, message } = toLoggedError(error);
  if (!(error instanceof Error)) return { state: 'bad', what: `The server threw ${oneLine(message)}` };
  const line = stackLineOf(error.stack ?? '');
  return {
    state: 'bad',
    what: `${name}: ${message}`,
    advice: line === undefined ? 'The server was not checked.' : `Thrown here: ${line}`,
  };
}

/** The location of an error: the file of a syntax error, which is the first line, or the first frame outside Node. */
function stackLineOf(stack: string): string | undefined {
  const lines = stack.split('\n').map((line) => line.trim());
  return lines[0]?.startsWith('file://') === true
    ? lines[0]
    : lines.find((line) => line.startsWith('at ') && !line.includes('node:'));
}

/** Maximum number of tools named in one finding. */
const MAX_NAMED = 5;

function checkLoaded(loaded: LoadedServer): Finding[] {
  return [...checkDefaults(loaded), ...checkScopes(loaded), ...checkOpenness(loaded)];
}

/** Finds required arguments that a resolver supplies: clients are told to send them. */
function checkDefaults({ server: { tools } }: LoadedServer): Finding[] {
  const found = tools?.surface({ exposure: 'flat' }).listAll((entry) => unstatedDefaults(entry).length > 0);
  return (found ?? []).map(({ name, inputSchema }) => ({
    state: 'odd',
    what: `Tool "${name}" has a defaultArgumentResolver, but its input schema requires ${(inputSchema['required'] as string[]).join(', ')}`,
    advice: 'List the arguments that the resolver supplies in resolvedArguments.',
  }));
}

/** Finds entries that need scopes and that anonymous callers cannot reach. */
function checkScopes({ server, isConfiguration, transport, auth, principal }: LoadedServer): Finding[] {
  // Callers have a principal then, with scopes of their own.
  if (transport?.type === 'http' ? auth !== undefined : principal !== undefined) return [];
  const { tools, prompts, resources } = server;
  const scoped = (tools?.getToolDefinitions() ?? []).filter(({ scopes = [] }) => scopes.length > 0);
  const shown = scoped.slice(0, MAX_NAMED).map(({ name }) => `"${name}"`);
  const names = `${shown.join(', ')}${scoped.length > MAX_NAMED ? ', …' : ''}`;
  const hidden = [
    ...(scoped.length > 0 ? [`${countOf(scoped.length, 'tool')} (${names})`] : []),
    ...countHidden('prompt', prompts?.size, prompts?.getAllPrompts().length),
    ...countHidden(
      'resource',
      resources?.size,
      (resources?.getAllResources().length ?? 0) + (resources?.getAllResourceTemplates().length ?? 0),
    ),
  ];
  if (hidden.length === 0) return [];
  const serve = isConfiguration
    ? 'Remove their scopes, or set auth (HTTP) or principal (stdio) in the configuration.'
    : 'Serve it in code, with authenticate: serveHttp(server, { authenticate }).';
  return [
    {
      state: 'odd',
      what: `Scopes are required for ${hidden.join(', ')}. Every caller of "toolwright serve" is anonymous, so these are unreachable there`,
      advice: `${serve} Try them with --scopes.`,
    },
  ];
}

function countHidden(noun: string, all = 0, visible = 0): string[] {
  return all > visible ? [countOf(all - visible, noun)] : [];
}

/** Tool lists above this size are reported, because every conversation includes them. */
const MANY_TOKENS = 10_000;
const CHARACTERS_PER_TOKEN = 4;
/** Longer names are reported: some clients add a prefix and allow 64 characters in total. */
const LONG_NAME = 50;

async function checkClient(client: RpcClient): Promise<Finding[]> {
  const { capabilities } = client.self;
  const [name, version] = [oneLine(client.self.name), oneLine(client.self.version)];
  const protocolVersion = oneLine(client.self.protocolVersion);
  const findings: Finding[] = [
    { state: 'good', what: `${name} ${version} responds, protocol ${protocolVersion}` },
    ...(protocolVersion === '2026-07-28'
      ? []
      : [
          {
            state: 'odd',
            what: `The server uses protocol ${protocolVersion}; the newest is 2026-07-28`,
          } as const,
        ]),
  ];
  if (capabilities['tools'] === undefined)
    return [...findings, { state: 'odd', what: 'The server has no tools' }];
  const tools = await client.listAll('tools/list', 'tools');
  const tokens = Math.round(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN);
  findings.push(
    tokens > MANY_TOKENS
      ? {
          state: 'odd',
          what: `${tools.length} tools take about ${tokens.toLocaleString('en')} tokens of every conversation`,
          advice: 'Set exposure to "search" or "auto", or group the tools.',
        }
      : {
          state: 'good',
          what: `${tools.length === 1 ? '1 tool' : `${tools.length} tools`}, about ${tokens.toLocaleString('en')} tokens`,
        },
  );
  for (const tool of tools) findings.push(...checkTool(tool));
  return findings;
}

function checkTool(tool: Readonly<Record<string, unknown>>): Finding[] {
  const { description, inputSchema } = tool as { description?: unknown; inputSchema?: { type?: unknown } };
  const name = oneLine(tool['name']);
  const findings: Finding[] = [];
  if (inputSchema?.type !== 'object')
    findings.push({
      state: 'bad',
      what: `Tool "${name}": the input schema does not have type "object"`,
      advice: 'Clients reject the tool. Set type: "object".',
    });
  if (typeof description !== 'string' || description.trim() === '')
    findings.push({
      state: 'bad',
      what: `Tool "${name}" has no description`,
      advice: 'Add one: the model needs it to know when to use the tool.',
    });
  else if (description.trim().length < 10)
    findings.push({
      state: 'odd',
      what: `Tool "${name}" has a description of only ${description.trim().length} characters`,
      advice: 'Describe what the tool does and when to use it.',
    });
  if (name.length > LONG_NAME)
    findings.push({
      state: 'odd',
      what: `Tool "${name}" has a name of ${name.length} characters`,
      advice: 'Shorten it: some clients add a prefix and allow 64 characters in total.',
    });
  return findings;
}
