import { describe, expect, test } from 'vitest';
import { useScratch } from './support.ts';
import { taken } from '../../support/refused.ts';

const { write, complaints } = useScratch();

describe('all mistakes are reported at once', () => {
  test('whatever finds it', async () => {
    write('tools.mjs', 'export default [{ name: "a", description: "A" }, 5];');
    expect(
      await complaints(
        'c.yaml',
        `nam: demo
tools:
  - { name: t, description: T, http: { url: 'ftp://a.example' } }
  - { name: u, description: U, http: { url: 'https://a.example', metod: GET } }
  - { name: v, description: V, http: { url: 'https://a.example' } }
  - { name: v, description: V, http: { url: 'https://a.example' } }
  - { module: ./tools.mjs }
prompts:
  - { name: p, template: '{{who}}' }
outbound: { allowPrivate: [localhost, 'http://localhost'] }
limits: { timeoutMs: 700000, maxDeth: 1 }
`,
      ),
    ).toEqual([
      'c.yaml has 10 mistakes:',
      'c.yaml:1:1 must have "name"',
      expect.stringContaining('c.yaml:1:1 nam is unknown. Did you mean "name"?'),
      'c.yaml:3:40 tools[0].http.url must be a URL such as https://api.example.com/users/{id}',
      expect.stringContaining('c.yaml:4:66 tools[1].http.metod is unknown. Did you mean "method"?'),
      `c.yaml:6:5 tools[3] is invalid: ${taken('Tool', 'v', ['"V" in registry "server"', '"V" in registry "server"'])}`,
      'c.yaml:7:7 tools[4].module cannot be loaded: element 1 of its export is not a definition.',
      expect.stringContaining('c.yaml:9:5 prompts[0] is invalid: Prompt "p": the template uses'),
      'c.yaml:10:39 outbound.allowPrivate[1] is invalid: Outbound requests: allowPrivate must be true, false, or hosts, addresses and ranges, such as "localhost", "10.1.2.3" and "10.0.0.0/8"; it is "http://localhost".',
      'c.yaml:11:11 limits.timeoutMs must be at most 600000',
      expect.stringContaining('c.yaml:11:30 limits.maxDeth is unknown. Did you mean "maxDepth"?'),
    ]);
  });

  test.each([
    ['outbound: { timeoutMs: 3000000000 }', '2:13 outbound.timeoutMs must be at most 2147483647'],
    ['limits: { inputTimeoutMs: 3000000000 }', '2:11 limits.inputTimeoutMs must be at most 2147483647'],
    [
      'outbound: { userAgent: "a\\nb" }',
      '2:1 outbound is invalid: Outbound requests: userAgent must be a string of characters that a header can have; it is "a\\nb".',
    ],
    [
      'prompts: [{ name: p, template: p, timeoutMs: 600001 }]',
      '2:35 prompts[0].timeoutMs must be at most 600000',
    ],
  ])('of limits: %s', async (line, said) => {
    expect(await complaints('c.yaml', `name: demo\n${line}\n`)).toEqual([
      'c.yaml has a mistake:',
      `c.yaml:${said}`,
    ]);
  });

  test('of an HTTP tool, before it is called', async () => {
    expect(
      await complaints(
        'c.yaml',
        `name: demo
tools:
  - name: t
    description: T
    arguments:
      h: { in: header, as: Content-Length }
      upgrade: { in: header }
      n: { type: integer, default: three }
    http:
      url: https://a.example
      headers: { Host: b.example, X-Key: "a\\nb" }
      response: { as: text, select: /a }
`,
      ),
    ).toEqual([
      'c.yaml has 6 mistakes:',
      'c.yaml:6:24 tools[0].arguments.h.as is invalid: The header "Content-Length" cannot be set.',
      'c.yaml:7:7 tools[0].arguments.upgrade is invalid: The header "upgrade" cannot be set.',
      'c.yaml:8:27 tools[0].arguments.n.default must be a whole number; received a string',
      'c.yaml:11:18 tools[0].http.headers.Host is invalid: The header "Host" cannot be set.',
      'c.yaml:11:35 tools[0].http.headers.X-Key is invalid: The value of the header "x-key" has characters that a header cannot have.',
      'c.yaml:12:29 tools[0].http.response.select requires JSON, but "as" is "text". Remove one of them',
    ]);
  });
});

describe('invalid JSON is reported with its position', () => {
  test.each([
    ['{"name": shop}', '1:10', 'expected a value, received "s"'],
    ['{\n  "name": "x",\n  "tools": [1,]\n}', '3:15', 'expected a value, received "]"'],
    ['{\n  "name": "x"\n  "tools": []\n}', '3:3', 'expected "," or "}", received "\\""'],
    ['{"name" "x"}', '1:9', 'expected ":", received "\\""'],
    ["{'name': 1}", '1:2', 'expected a name in double quotes or "}", received "\'"'],
    ['{"tools": [[1 2]]}', '1:15', 'expected "," or "]", received "2"'],
    ['{"name": "x"} {}', '1:15', 'expected the end of the file'],
    ['{"name": "x"', '1:13', 'expected "," or "}", received the end of the file'],
    ['{"n": 01}', '1:7', 'expected a value, received "0"'],
    ['{"n": "a\nb"}', '1:7', 'expected a value, received "\\""'],
    ['{"n": [truex]}', '1:8', 'expected a value or "]", received "t"'],
    ['// hello\n{}', '1:1', 'expected a value, received "/"'],
    ['', '1:1', 'expected a value, received the end of the file'],
  ])('%j', async (content, place, said) => {
    expect(await complaints('c.json', content)).toEqual([
      'c.json has a mistake:',
      `c.json:${place} is not valid JSON: ${said}`,
    ]);
  });

  test('but not the mark that some editors put in front', async () => {
    for (const name of ['c.json', 'c.yaml'])
      expect(await complaints(name, '\uFEFF{ "name": 5 }')).toEqual([
        `${name} has a mistake:`,
        `${name}:1:3 name must be a string; received the number 5`,
      ]);
  });
});
