/** The Inspector's command line against the same server, in both eras of the protocol. */
import { isDeepStrictEqual } from 'node:util';
import { execute, installed } from './execute.mjs';

const LAUNCHER = installed('@modelcontextprotocol/inspector/clients/launcher/build/index.js');

const ERAS = ['legacy', 'modern'];

/** What every answer of 2026-07-28 says about the server. */
const FROM = {
  _meta: { 'io.modelcontextprotocol/serverInfo': { name: 'toolwright-everything', version: '0.1.0' } },
};

const TOOL = {
  name: 'greet',
  description: 'Returns a greeting immediately.',
  inputSchema: {
    $schema: 'https://json-schema.org/draft/2020-12/schema',
    type: 'object',
    properties: { name: { type: 'string' } },
    required: ['name'],
  },
};
const PROMPT = {
  name: 'test_prompt_with_arguments',
  description: 'A prompt with two arguments.',
  arguments: [
    { name: 'arg1', description: 'The first argument', required: true },
    { name: 'arg2', description: 'The second argument', required: true },
  ],
};
const RESOURCE = {
  uri: 'test://static-text',
  name: 'static-text',
  description: 'A text that stays as it is.',
  mimeType: 'text/plain',
};

/** What is asked, which part of the answer is looked at, and what it must be in each era. */
const TOOL_CALLS = [
  {
    method: 'tools/list',
    pick: ({ tools }) => [tools.length, tools.find(({ name }) => name === TOOL.name)],
    legacy: [35, TOOL],
    modern: [35, TOOL],
  },
  {
    method: 'tools/call',
    args: ['--tool-name', 'greet', '--tool-args-json', '{"name":"Ada"}'],
    legacy: { content: [{ type: 'text', text: 'Hello, Ada!' }] },
    modern: { content: [{ type: 'text', text: 'Hello, Ada!' }], resultType: 'complete', ...FROM },
  },
];
const OTHER_CALLS = [
  {
    method: 'prompts/list',
    pick: ({ prompts }) => [prompts.length, prompts.find(({ name }) => name === PROMPT.name)],
    legacy: [5, PROMPT],
    modern: [5, PROMPT],
  },
  {
    method: 'prompts/get',
    args: ['--prompt-name', PROMPT.name, '--prompt-args', 'arg1=one', 'arg2=two'],
    legacy: renderedPrompt(),
    modern: { ...renderedPrompt(), ...FROM },
  },
  {
    method: 'resources/list',
    pick: ({ resources }) => [resources.length, resources.find(({ uri }) => uri === RESOURCE.uri)],
    legacy: [6, RESOURCE],
    modern: [6, RESOURCE],
  },
  {
    method: 'resources/read',
    args: ['--uri', RESOURCE.uri],
    legacy: readResource(),
    modern: { ...readResource(), ttlMs: 0, cacheScope: 'private', ...FROM },
  },
];

/** The extension belongs to 2026-07-28. `--verify` reads every file and compares it with its digest. */
const SKILL_CALLS = [
  { method: 'skills/list', args: ['--verify'], isReport: true },
  {
    method: 'skills/get',
    args: ['--uri', 'skill://acme/release-notes/SKILL.md', '--verify', '--require-digests'],
    isReport: true,
  },
  {
    method: 'resources/directory/read',
    args: ['--uri', 'skill://acme/release-notes'],
    pick: ({ resources }) => resources.map(({ uri, mimeType }) => [uri, mimeType]),
    modern: [
      ['skill://acme/release-notes/SKILL.md', 'text/markdown'],
      ['skill://acme/release-notes/templates', 'inode/directory'],
    ],
  },
];

function renderedPrompt() {
  const text = "Prompt with arguments: arg1='one', arg2='two'";
  return { description: PROMPT.description, messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function readResource() {
  const text = 'This is the content of the static text resource.';
  return { contents: [{ uri: RESOURCE.uri, mimeType: 'text/plain', text }] };
}

/** Makes all calls, a few at a time; one line for each that was not answered as it should be. */
export async function callWithInspector({ url, command, home }) {
  const calls = ERAS.flatMap((era) => [
    ...[...TOOL_CALLS, ...OTHER_CALLS].map((call) => ({ call, era, target: [url, '--transport', 'http'] })),
    ...TOOL_CALLS.map((call) => ({ call, era, target: command })),
  ]).concat(SKILL_CALLS.map((call) => ({ call, era: 'modern', target: [url, '--transport', 'http'] })));
  const problems = [];
  const waiting = calls.values();
  const worker = async () => {
    for (const each of waiting) problems.push(...(await findProblem(each, home)));
  };
  await Promise.all(Array.from({ length: 4 }, worker));
  return { passed: calls.length - problems.length, problems };
}

async function findProblem({ call, era, target }, home) {
  const { method, args = [], pick = (result) => result } = call;
  const said = ['--cli', ...target, '--protocol-era', era, '--method', method, ...args, '--format', 'json'];
  const { code, stdout, stderr } = await execute(LAUNCHER, said, { env: { HOME: home }, timeoutMs: 30_000 });
  const over = target.length === 3 && target[1] === '--transport' ? 'http' : 'stdio';
  const where = `inspector, ${over}, ${era}, ${method}`;
  if (code !== 0) return [`${where}: exit code ${code}: ${stderr.slice(0, 2000)}`];
  if (call.isReport) return [];
  try {
    const got = pick(JSON.parse(stdout).result);
    return isDeepStrictEqual(got, call[era]) ? [] : [`${where}: got ${JSON.stringify(got)}`];
  } catch (error) {
    return [`${where}: ${String(error)}: ${stdout.slice(0, 2000)}`];
  }
}
