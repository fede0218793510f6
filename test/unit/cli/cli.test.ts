import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { COMMANDS } from '../../../src/cli/main.ts';
import { COMMON_FLAGS } from '../../../src/cli/terminal/help.ts';
import { createServer, silentLogger } from '../../../src/index.ts';
import { serveHttp } from '../../../src/http.ts';
import type { RunningHttp } from '../../../src/http.ts';
import { VERSION } from '../../support/dist.ts';
import { runCli } from './run-cli.ts';
import type { Ran } from './run-cli.ts';

let folder = '';
let running: RunningHttp;
let seen: string | null | undefined;

const server = createServer({ name: 'shop', version: '1.0.0', logger: silentLogger })
  .registerTool(
    'add',
    { description: 'Adds two numbers', inputSchema: z.object({ a: z.number(), b: z.number().default(1) }) },
    ({ a, b }) => a + b,
  )
  .registerTool('fail', { description: 'Fails on purpose', inputSchema: z.object({}) }, () => {
    throw new Error('internal');
  })
  .registerTool('draw', { description: 'Draws a picture', inputSchema: z.object({}) }, () => ({
    content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }],
  }))
  .registerTool(
    'evil',
    { description: 'Says \u001B[31mred\u0007', inputSchema: z.object({}) },
    () => 'a\u001B[2Jb\u202Ec',
  )
  .registerTool(
    'echo',
    {
      description: 'Says it again',
      inputSchema: z.object({ text: z.string(), tags: z.array(z.string()).optional() }),
    },
    (args) => args,
  )
  .registerPrompt({ name: 'greet', arguments: [{ name: 'who', required: true }], template: 'Hello {{who}}' })
  .registerResource({ uri: 'shop://manual', name: 'manual', text: 'Read me.' })
  .registerResource({ uri: 'shop://logo', name: 'logo', mimeType: 'image/png', blob: 'AQID' });

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'toolwright-cli-'));
  writeFileSync(join(folder, 'args.json'), '{"a": 40}');
  writeFileSync(
    join(folder, 'toolwright.config.json'),
    JSON.stringify({ name: 'configured', prompts: [{ name: 'hi', template: 'Hi' }] }),
  );
  running = await serveHttp(server, {
    port: 0,
    authenticate: (request) => {
      seen = request.headers.get('x-key');
      return { id: 'ada' };
    },
  });
});

afterAll(async () => {
  await running.close();
  await server.close();
  rmSync(folder, { recursive: true });
});

/** Runs a command line; `{url}` is the server. */
const run = (line: readonly string[], input = ''): Promise<Ran> =>
  runCli(
    line.map((word) => word.replace('{url}', running.url)),
    { cwd: folder, input },
  );

describe('help', () => {
  test('shows every command', async () => {
    const { code, out } = await run(['--help']);
    expect(code).toBe(0);
    for (const { name, summary } of COMMANDS) expect(out).toContain(`${name.padEnd(10)}  ${summary}`);
    expect(await run([])).toEqual({ code: 2, out, err: '' });
    expect(await run(['help'])).toEqual({ code: 0, out, err: '' });
  });

  test.each(COMMANDS.map((command) => [command.name, command] as const))(
    'of %s shows every option and an example',
    async (name, command) => {
      const { code, out } = await run([name, '--help']);
      expect(code).toBe(0);
      expect(await run(['help', name])).toEqual({ code: 0, out, err: '' });
      expect(await run([name, '-h'])).toEqual({ code: 0, out, err: '' });
      for (const [flag, { description }] of Object.entries({ ...command.flags, ...COMMON_FLAGS })) {
        expect(out).toContain(`--${flag}`);
        expect(out).toContain(description);
      }
      expect(command.examples.length).toBeGreaterThan(0);
      for (const [line] of command.examples) expect(line).toMatch(new RegExp(`^toolwright ${name}\\b`));
    },
  );

  test('knows its version', async () => {
    expect(await run(['--version'])).toEqual({ code: 0, out: VERSION, err: '' });
    expect(await run(['-v'])).toEqual({ code: 0, out: VERSION, err: '' });
  });
});

describe('a wrong command line is answered with what would be right', () => {
  test.each([
    [
      ['lst'],
      'error Unknown command "lst". Did you mean "list"? Commands: init, serve, worker, dev, openapi, list, describe, call, read, prompt, doctor, schema, completion.',
    ],
    [['list', '--jsn'], 'error Unknown option "--jsn". Did you mean "--json"? See toolwright list --help.'],
    [['call', '{url}'], 'error Missing tool name. Tools: add, fail, draw, evil, echo.'],
    [['call', '{url}', 'ad'], 'error Unknown tool "ad". Tools: add, fail, draw, evil, echo.'],
    [['call', '{url}', 'ecko'], 'error Unknown tool "ecko". Did you mean "echo"?'],
    [['call', '{url}', 'add', 'a'], 'error Unexpected argument "a". Write name=value or name:=json.'],
    [['call', '{url}', 'add', 'a=x'], 'error Argument "a" must be of type number; received "x".'],
    [['call', '{url}', 'add', 'a:={'], 'error Argument "a" must be JSON; received "{".'],
    [['call', '{url}', 'add', '--args', '5'], 'error --args must be a JSON object: --args \'{"a": 1}\''],
    [['call', '{url}', 'add', '--args', '@none.json'], 'error --args: file not found: none.json.'],
    [
      ['call', '{url}', 'add', 'a=1', '--timeout', 'soon'],
      'error --timeout must be an integer; received "soon".',
    ],
    [['read', '{url}'], 'error Missing resource URI. "toolwright list --resources" lists the resources.'],
    [['prompt', '{url}'], 'error Missing prompt name. "toolwright list --prompts" lists the prompts.'],
    [['serve', '--stdio', '--http'], 'error Use either --stdio or --http, not both.'],
    [['serve', '--port', '1'], 'error --port applies only to HTTP. Add --http.'],
    [['serve', './none.yaml'], 'error File not found'],
    [['serve', '--print-client-config', 'cursr'], 'error Unknown client "cursr". Did you mean "cursor"?'],
  ])('%j', async (line, message) => {
    const { code, out, err } = await run(line);
    expect([code, out]).toEqual([2, '']);
    expect(err).toContain(message);
  });
});

describe('list', () => {
  test('shows everything to a person, without what would move the cursor', async () => {
    const { code, out } = await run(['list', '{url}']);
    expect([code, out.split('\n')]).toEqual([
      0,
      [
        'shop 1.0.0 (protocol 2026-07-28)',
        '',
        'Tools 5',
        '  add   a, b?        Adds two numbers',
        '  fail               Fails on purpose',
        '  draw               Draws a picture',
        '  evil               Says [31mred',
        '  echo  text, tags?  Says it again',
        '',
        'Prompts 1',
        '  greet  who',
        '',
        'Resources 2',
        '  shop://manual  manual',
        '  shop://logo    logo',
      ],
    ]);
  });

  test.each([
    ['--tools', 'tools'],
    ['--prompts', 'prompts'],
  ])('%s shows nothing else', async (flag, member) => {
    const { out } = await run(['list', '{url}', flag, '--json']);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(['server', member]);
  });

  test('--resources shows templates too', async () => {
    const { out } = await run(['list', '{url}', '--resources', '--json']);
    expect(Object.keys(JSON.parse(out) as object)).toEqual(['server', 'resources', 'resourceTemplates']);
  });

  test('takes the configuration of the folder where nothing is named', async () => {
    expect((await run(['list'])).out.split('\n')[0]).toBe('configured 0.0.0 (protocol 2026-07-28)');
    expect((await run(['list', join(folder, 'toolwright.config.json')])).out).toContain('configured 0.0.0');
  });

  test('sends headers', async () => {
    await run(['list', '{url}', '-H', 'X-Key: open sesame']);
    expect(seen).toBe('open sesame');
  });

  test('says that a server cannot be reached', async () => {
    const { code, err } = await run(['list', 'http://127.0.0.1:1/mcp']);
    expect([code, err]).toEqual([3, expect.stringContaining('Cannot connect to http://127.0.0.1:1/mcp')]);
    expect(await run(['list', '--', 'no-such-command-here'])).toMatchObject({
      code: 3,
      err: 'error no-such-command-here: it cannot be started (ENOENT).',
    });
    expect(
      await run(['list', '--', process.execPath, '-e', 'console.error("no licence"); process.exit(4)']),
    ).toMatchObject({
      code: 3,
      err: expect.stringContaining('it ended with code 4. Standard error:\nno licence') as string,
    });
  });
});

describe('call', () => {
  test.each([
    [['add', 'a=1', 'b=2'], '3'],
    [['add', 'a=1'], '2'],
    [['add', '--args', '{"a": 1, "b": 5}'], '6'],
    [['add', '-a', '{"a": 1, "b": 5}', 'b=7'], '8'],
    [['add', '--args', '@args.json'], '41'],
    [['echo', 'text=a=b'], '{"text":"a=b"}'],
    [['echo', 'text=5', 'tags:=["x"]'], '{"text":"5","tags":["x"]}'],
    [['echo', 'text=', 'tags=["y"]'], '{"text":"","tags":["y"]}'],
    [['draw'], '[image image/png, 3 bytes; --json shows it]'],
    [['evil'], 'a[2Jbc'],
  ])('%j', async (line, out) => {
    expect(await run(['call', '{url}', ...line])).toEqual({ code: 0, out, err: '' });
  });

  test('takes arguments from standard input', async () => {
    expect(await run(['call', '{url}', 'add', '--args', '-'], '{"a": 6}')).toMatchObject({
      code: 0,
      out: '7',
    });
  });

  test('prints the whole result for scripts', async () => {
    const { out } = await run(['call', '{url}', 'draw', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      content: [{ type: 'image', data: 'AQID', mimeType: 'image/png' }],
    });
  });

  test('tells a failure by its exit code, on standard error', async () => {
    const { code, out, err } = await run(['call', '{url}', 'fail']);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^error Tool 'fail' failed/);
    expect(await run(['call', '{url}', 'add'])).toMatchObject({ code: 1, out: '' });
  });
});

describe('read and prompt', () => {
  test('print what they get', async () => {
    expect(await run(['read', '{url}', 'shop://manual'])).toEqual({ code: 0, out: 'Read me.', err: '' });
    expect(await run(['read', '{url}', 'shop://logo'])).toMatchObject({
      out: '[image/png, 3 bytes; --json shows it]',
    });
    expect(await run(['prompt', '{url}', 'greet', 'who=Ada'])).toEqual({
      code: 0,
      out: 'user: Hello Ada',
      err: '',
    });
    expect(await run(['prompt', 'hi'])).toEqual({ code: 0, out: 'user: Hi', err: '' });
  });

  test('print it whole for scripts', async () => {
    expect(JSON.parse((await run(['read', '{url}', 'shop://logo', '--json'])).out)).toMatchObject({
      contents: [{ blob: 'AQID' }],
    });
    expect(JSON.parse((await run(['prompt', '{url}', 'greet', 'who=Ada', '--json'])).out)).toMatchObject({
      messages: [{ role: 'user', content: { text: 'Hello Ada' } }],
    });
  });

  test('tell what is not there', async () => {
    expect(await run(['read', '{url}', 'shop://none'])).toEqual({
      code: 1,
      out: '',
      err: 'error Resource not found: shop://none (-32602)',
    });
    expect((await run(['prompt', '{url}', 'greet'])).code).toBe(1);
  });
});

describe('doctor', () => {
  test('finds nothing wrong with what is well', async () => {
    const { code, out } = await run(['doctor', '{url}']);
    expect(code).toBe(0);
    expect(out).toContain('ok   shop 1.0.0 responds, protocol 2026-07-28');
    expect(out).toContain('ok   5 tools, about');
  });

  test('says what is wrong, and what to do', async () => {
    writeFileSync(join(folder, 'wrong.yaml'), 'nam: x\n');
    const { code, out } = await run(['doctor', join(folder, 'wrong.yaml')]);
    expect(code).toBe(1);
    expect(out).toContain('bad  wrong.yaml has 2 mistakes:');
    expect(JSON.parse((await run(['doctor', join(folder, 'wrong.yaml'), '--json'])).out)).toMatchObject([
      { state: 'good' },
      {},
      { state: 'bad' },
    ]);
  });
});

describe('completion', () => {
  test.each(['bash', 'zsh', 'fish'])('of %s knows every command and every option', async (shell) => {
    const { code, out } = await run(['completion', shell]);
    expect(code).toBe(0);
    for (const { name, flags } of COMMANDS) {
      expect(out).toContain(name);
      for (const flag of Object.keys(flags))
        expect(out).toContain(shell === 'fish' ? `-l ${flag} ` : `--${flag}`);
    }
  });

  test('in bash completes what was begun', async () => {
    const { out } = await run(['completion', 'bash']);
    const script = `${out}\nCOMP_WORDS=(toolwright call --js); COMP_CWORD=2; _toolwright; echo "\${COMPREPLY[@]}"\nCOMP_WORDS=(toolwright do); COMP_CWORD=1; _toolwright; echo "\${COMPREPLY[@]}"`;
    expect(execFileSync('bash', ['-c', script], { encoding: 'utf8' })).toBe('--json\ndoctor\n');
  });

  test('asks which shell', async () => {
    expect(await run(['completion'])).toMatchObject({
      code: 2,
      err: 'error Missing shell. Shells: bash, zsh, fish.',
    });
  });
});

describe('init', () => {
  test('refuses names that npm refuses', async () => {
    expect(await run(['init', 'x', '--name', 'My Server'])).toMatchObject({
      code: 2,
      err: expect.stringContaining('Invalid project name "My Server"') as string,
    });
  });

  test('makes a name of that of the folder, and says what comes next', async () => {
    const { code, err } = await run(['init', 'My Server!']);
    expect(code).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, 'My Server!', 'package.json'), 'utf8'))).toMatchObject({
      name: 'my-server',
    });
    expect(err).toContain(
      "Next:\n  cd 'My Server!'\n  npm install\n  npm test\n  npx toolwright call src/server.ts greet name=Ada\n  npm run dev",
    );
  });
});

test('schema prints JSON Schema', async () => {
  const { code, out } = await run(['schema']);
  expect([code, JSON.parse(out)]).toMatchObject([
    0,
    { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
  ]);
});

describe('serve --print-client-config', () => {
  const print = (
    client: string,
    flags: readonly string[] = [],
    file = '/app/node_modules/toolwright/dist/bundle/cli.js',
  ): Promise<Ran> =>
    runCli(['serve', ...flags, '--print-client-config', client], {
      cwd: folder,
      program: ['/opt/node', file],
    });

  const ARGS = '"/app/node_modules/toolwright/dist/bundle/cli.js","serve","{config}","--stdio"';

  test.each([
    ['cursor', `{"mcpServers":{"configured":{"command":"/opt/node","args":[${ARGS}]}}}`],
    ['claude-desktop', `{"mcpServers":{"configured":{"command":"/opt/node","args":[${ARGS}]}}}`],
    ['vscode', `{"servers":{"configured":{"type":"stdio","command":"/opt/node","args":[${ARGS}]}}}`],
    [
      'claude-code',
      'claude mcp add configured -- /opt/node /app/node_modules/toolwright/dist/bundle/cli.js serve {config} --stdio',
    ],
    ['codex', `[mcp_servers."configured"]\ncommand = "/opt/node"\nargs = [${ARGS}]`],
  ])('%s starts this very program, wherever the client runs', async (client, expected) => {
    const { code, out } = await print(client);
    const shown = out.startsWith('{') ? JSON.stringify(JSON.parse(out)) : out;
    expect([code, shown]).toEqual([0, expected.replace('{config}', join(folder, 'toolwright.config.json'))]);
  });

  test('does not name a program that npx has only fetched for now', async () => {
    const fetched = '/home/ada/.npm/_npx/0a1b/node_modules/toolwright/dist/bundle/cli.js';
    const { out } = await print('claude-code', [], fetched);
    expect(out).toBe(
      `claude mcp add configured -- npx -y toolwright serve ${join(folder, 'toolwright.config.json')} --stdio`,
    );
  });

  test.each([
    [
      'cursor',
      '      "env": {\n        "SHOP_KEY": "<SHOP_KEY>",\n        "SHOP_NAME": "<SHOP_NAME>"\n      }',
    ],
    [
      'vscode',
      '      "env": {\n        "SHOP_KEY": "<SHOP_KEY>",\n        "SHOP_NAME": "<SHOP_NAME>"\n      }',
    ],
    ['claude-code', "add shop --env 'SHOP_KEY=<SHOP_KEY>' --env 'SHOP_NAME=<SHOP_NAME>' -- /opt/node"],
    ['codex', '\nenv = { SHOP_KEY = "<SHOP_KEY>", SHOP_NAME = "<SHOP_NAME>" }'],
  ])('%s is told which variables the configuration names', async (client, part) => {
    process.env['SHOP_KEY'] = process.env['SHOP_NAME'] = 'hunter2';
    try {
      writeFileSync(
        join(folder, 'shop.yaml'),
        // Two dollars are an escaped dollar.
        "name: shop\ninstructions: '$${env:NOT_THIS}'\nprompts: [{ name: a, template: '${env:SHOP_KEY} ${env:SHOP_NAME} ${env:SHOP_KEY}' }]\n",
      );
      const { out, err } = await print(client, ['shop.yaml']);
      expect(out).toContain(part);
      expect(out).not.toContain('NOT_THIS');
      expect(`${out}${err}`).not.toContain('hunter2');
      expect(err).toContain('Replace <SHOP_KEY>, <SHOP_NAME> with the values of the variables.');
    } finally {
      delete process.env['SHOP_KEY'];
      delete process.env['SHOP_NAME'];
    }
  });

  test.each([
    ['cursor', '"url": "http://127.0.0.1:8080/x"'],
    ['claude-desktop', '"http://127.0.0.1:8080/x"'],
    ['claude-code', 'claude mcp add --transport http configured http://127.0.0.1:8080/x'],
    ['codex', 'url = "http://127.0.0.1:8080/x"'],
    ['vscode', '"type": "http"'],
  ])('%s over HTTP', async (client, part) => {
    expect((await print(client, ['--http', '--port', '8080', '--path', '/x'])).out).toContain(part);
  });

  test.each([
    [['--host', '::1'], 'http://[::1]:3000/mcp'],
    [['--host', '0.0.0.0', '--allow-host', 'a.example'], 'http://127.0.0.1:3000/mcp'],
    [['--host', '::', '--allow-host', 'a.example'], 'http://127.0.0.1:3000/mcp'],
    [['--host', 'localhost', '--port', '81'], 'http://localhost:81/mcp'],
  ])('%j is reached where a client can', async (flags, url) => {
    expect((await print('codex', ['--http', ...flags])).out).toBe(
      `[mcp_servers."configured"]\nurl = "${url}"`,
    );
  });

  test('port 0 is rejected', async () => {
    expect(await print('cursor', ['--http', '--port', '0'])).toEqual({
      code: 2,
      out: '',
      err: 'error Port 0 picks another port at every start, so a client cannot be configured for it. Choose a fixed port: --port 3000',
    });
  });
});
