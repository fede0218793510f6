import { createRequire } from 'node:module';
import { join } from 'node:path';
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
  summary: 'Say what is wrong with a server or a set-up, and what to do',
  usage: ['[target] [options]', '[options] -- <command>'],
  details: TARGET_HELP,
  takesCommand: true,
  flags: TARGET_FLAGS,
  examples: [
    ['toolwright doctor', 'the configuration of this folder'],
    ['toolwright doctor -- node server.js', 'a server that a command starts'],
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
      ? { state: 'good', what: `Schema libraries here: ${libraries.join(', ')}` }
      : {
          state: 'odd',
          what: 'No schema library is installed here',
          advice:
            'Tools in code need one, or JSON Schema: npm install zod. HTTP tools of a configuration need none.',
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

/** What a server does not even get as far as to be looked at for. */
function toFinding(error: unknown): Finding {
  if (error instanceof NoConfigurationError)
    return { state: 'bad', what: error.message, advice: 'Or begin one here: toolwright init' };
  if (error instanceof ToolwrightError || error instanceof LinkError || error instanceof RpcFailure)
    return { state: 'bad', what: error.message, advice: 'The server was not looked at.' };
  if (!(error instanceof Error)) return { state: 'bad', what: `It threw ${oneLine(String(error))}` };
  const line = stackLineOf(error.stack ?? '');
  return {
    state: 'bad',
    what: `${error.name}: ${error.message}`,
    advice: line === undefined ? 'The server was not looked at.' : `It was thrown here: ${line}`,
  };
}

/** The file that cannot be read stands before everything else; otherwise it is the first one that is not a part of Node. */
function stackLineOf(stack: string): string | undefined {
  const lines = stack.split('\n').map((line) => line.trim());
  return lines[0]?.startsWith('file://') === true
    ? lines[0]
    : lines.find((line) => line.startsWith('at ') && !line.includes('node:'));
}

/** So many tools are named. */
const MAX_NAMED = 5;

function checkLoaded(loaded: LoadedServer): Finding[] {
  return [...checkDefaults(loaded), ...checkScopes(loaded), ...checkOpenness(loaded)];
}

/** A client cannot know that a required argument is filled in. */
function checkDefaults({ server: { tools } }: LoadedServer): Finding[] {
  const found = tools?.surface({ exposure: 'flat' }).listAll((entry) => unstatedDefaults(entry).length > 0);
  return (found ?? []).map(({ name, inputSchema }) => ({
    state: 'odd',
    what: `Tool "${name}" has a defaultArgumentResolver, and clients are told that they must send ${(inputSchema['required'] as string[]).join(', ')}`,
    advice: 'List the arguments that it can supply in resolvedArguments.',
  }));
}

/** The command line serves without authentication: whoever calls is anonymous, and has no scopes. */
function checkScopes({ server, isConfiguration, transport, auth, principal }: LoadedServer): Finding[] {
  // Callers have a principal then, with the scopes of their own.
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
      what: `Callers need scopes for ${hidden.join(', ')}: served by "toolwright serve", nobody can reach them, because every caller is anonymous`,
      advice: `${serve} Try them with --scopes.`,
    },
  ];
}

function countHidden(noun: string, all = 0, visible = 0): string[] {
  return all > visible ? [countOf(all - visible, noun)] : [];
}

/** Models are told every tool in every conversation. */
const MANY_TOKENS = 10_000;
const CHARACTERS_PER_TOKEN = 4;
/** Some clients put a prefix in front, and all of it must fit into 64. */
const LONG_NAME = 50;

async function checkClient(client: RpcClient): Promise<Finding[]> {
  const { capabilities } = client.self;
  const [name, version] = [oneLine(client.self.name), oneLine(client.self.version)];
  const protocolVersion = oneLine(client.self.protocolVersion);
  const findings: Finding[] = [
    { state: 'good', what: `${name} ${version} answers, protocol ${protocolVersion}` },
    ...(protocolVersion === '2026-07-28'
      ? []
      : [{ state: 'odd', what: `It speaks ${protocolVersion}; the newest is 2026-07-28` } as const]),
  ];
  if (capabilities['tools'] === undefined) return [...findings, { state: 'odd', what: 'It has no tools' }];
  const tools = await client.listAll('tools/list', 'tools');
  const tokens = Math.round(JSON.stringify(tools).length / CHARACTERS_PER_TOKEN);
  findings.push(
    tokens > MANY_TOKENS
      ? {
          state: 'odd',
          what: `${tools.length} tools take about ${tokens.toLocaleString('en')} tokens of every conversation`,
          advice: 'Set exposure to "search" or "auto", or group them.',
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
      what: `Tool "${name}": its input schema is not an object`,
      advice: 'Clients refuse it. Give it type: "object".',
    });
  if (typeof description !== 'string' || description.trim() === '')
    findings.push({
      state: 'bad',
      what: `Tool "${name}" has no description`,
      advice: 'A model cannot know when to use it.',
    });
  else if (description.trim().length < 10)
    findings.push({
      state: 'odd',
      what: `Tool "${name}" is described in ${description.trim().length} characters`,
      advice: 'Say what it does and when to use it.',
    });
  if (name.length > LONG_NAME)
    findings.push({
      state: 'odd',
      what: `Tool "${name}" has a name of ${name.length} characters`,
      advice: 'Some clients allow 64 with a prefix of their own.',
    });
  return findings;
}
