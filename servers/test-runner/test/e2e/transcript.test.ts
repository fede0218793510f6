import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { callTool, connectStdio } from '../support/clients.ts';
import type { CallResult, OfficialClient } from '../support/clients.ts';
import { createFolder } from '../support/folder.ts';

const project = createFolder({
  'pytest.ini': '[pytest]\naddopts = -p no:cacheprovider\n',
  'prices.py': [
    'def net(gross, rate):',
    '    return round(gross / (1 + rate), 2)',
    '',
    '',
    'def describe(order):',
    '    return {"lines": len(order), "total": sum(order)}',
    '',
  ].join('\n'),
  'test_prices.py': [
    'from prices import describe, net',
    '',
    '',
    'def test_net():',
    '    assert net(119, 19) == 100',
    '',
    '',
    'def test_describe():',
    '    order = [1, 2, 3]',
    '    print("order:", order)',
    '    assert describe(order) == {"lines": 3, "sum": 6}',
    '',
    '',
    'def test_empty_order():',
    '    assert describe([])["lines"] == 0',
    '',
  ].join('\n'),
});
afterAll(() => rmSync(project, { recursive: true, force: true }));

/** Members of results that differ between runs and machines. */
const VARYING: ReadonlySet<string> = new Set([
  'duration',
  'started_at',
  'interpreter',
  'interpreter_version',
  'runner_version',
  'stdout',
  // The number of frames of pytest and the lines of a diff depend on its version.
  'other_frames',
  'diff',
]);

/** Keeps the first line of messages: the others depend on the version of pytest. */
function normalize(key: string, value: unknown): unknown {
  if (VARYING.has(key)) return '…';
  return key === 'message' && typeof value === 'string' ? value.split('\n', 1)[0] : value;
}

/** A conversation as text: calls and the data of their results. Ids of runs are numbered. */
class Conversation {
  readonly #client: OfficialClient;
  readonly #ids = new Map<string, string>();
  readonly #entries: string[] = [];

  constructor(client: OfficialClient) {
    this.#client = client;
  }

  async call(tool: string, args: Readonly<Record<string, unknown>> = {}): Promise<CallResult> {
    const result = await callTool(this.#client, tool, args);
    const data = JSON.stringify(result.data, normalize, 2);
    const shown = result.isError && data === '{}' ? result.text : data;
    this.#entries.push(`> ${tool} ${JSON.stringify(args)}\n${result.isError ? 'ERROR ' : ''}${shown}`);
    return result;
  }

  note(text: string): void {
    this.#entries.push(`# ${text}`);
  }

  toString(): string {
    return `${this.#entries.join('\n\n')}\n`.replaceAll(/[\da-f]{8}-[\da-f-]{27}/g, (id) => {
      const name = this.#ids.get(id) ?? `<run ${this.#ids.size + 1}>`;
      this.#ids.set(id, name);
      return name;
    });
  }
}

function edit(file: string, [before, after]: readonly [string, string]): void {
  const path = join(project, file);
  const text = readFileSync(path, 'utf8');
  if (!text.includes(before)) throw new Error(`${file} has no ${before}`);
  writeFileSync(path, text.replace(before, after));
}

test('a debugging conversation: discover, run, two failures, explain, edit, rerun, green', async () => {
  const { client } = await connectStdio('v2', [project]);
  try {
    const conversation = new Conversation(client);
    await conversation.call('discover_tests');
    const { data } = await conversation.call('execute_tests');
    const failed = (data['tests'] as { node_id: string; outcome: string }[]).filter(
      ({ outcome }) => outcome === 'failed',
    );
    for (const { node_id } of failed) await conversation.call('explain_failure', { node_id });
    conversation.note('net takes a rate in percent');
    edit('prices.py', ['1 + rate)', '1 + rate / 100)']);
    await conversation.call('rerun_failed');
    conversation.note('the test has the wrong key');
    edit('test_prices.py', ['"sum": 6', '"total": 6']);
    await conversation.call('rerun_failed');
    await conversation.call('rerun_failed');
    await conversation.call('execute_tests');
    await conversation.call('list_runs');
    const golden = new URL('transcript.golden.txt', import.meta.url);
    if (process.env['UPDATE_GOLDEN'] === '1') writeFileSync(golden, conversation.toString());
    expect(conversation.toString()).toBe(readFileSync(golden, 'utf8'));
  } finally {
    await client.close();
  }
});
