/**
 * Runs one client against the matrix server, over each transport that it was given an address for, and prints the checks that passed as JSON.
 * A client is a function from an address to the few calls that all clients have in common; a call that it does not have is not checked.
 */
import assert from 'node:assert/strict';
import process from 'node:process';

/**
 * @param {Record<string, (target) => Promise<object>>} transports how to connect: `http`, `sse` (a URL) and `stdio` (command and arguments)
 *
 * The connected client: `listTools()` gives names, `call(name, args)` gives `{ text, structured, isError }`, `prompt(name, args)` and
 * `resource(uri)` give text, `close()` closes. `asks` says that the client answers an elicitation with the name Ada.
 */
export async function judge(transports) {
  const targets = JSON.parse(process.argv[2] ?? '{}');
  const passed = [];
  for (const [transport, target] of Object.entries(targets)) {
    const connect = transports[transport];
    assert.ok(connect, `the client has no transport "${transport}"`);
    const client = await connect(target);
    const checks = [];
    let revision;
    try {
      await checkAll(client, checks);
      revision = (await client.call('revision', {})).text;
    } catch (error) {
      throw new Error(`${transport}, after ${checks.join(', ') || 'nothing'}: ${error.message}`, {
        cause: error,
      });
    } finally {
      await client.close();
    }
    passed.push({ transport, revision, checks });
  }
  assert.ok(passed.length > 0, 'no address was given');
  console.log(JSON.stringify(passed));
}

async function checkAll(client, checks) {
  assert.deepEqual((await client.listTools()).toSorted(), ['add', 'ask', 'fail', 'revision']);
  checks.push('list');

  const added = await client.call('add', { a: 2, b: 3 });
  assert.equal(added.isError, false);
  assert.deepEqual(added.structured, { sum: 5 });
  checks.push('structured result');

  const failed = await client.call('fail', { reason: 'on purpose' });
  assert.equal(failed.isError, true);
  assert.match(failed.text, /Failed: on purpose/);
  checks.push('tool error');

  const invalid = await client.call('add', { a: 'two', b: 3 });
  assert.equal(invalid.isError, true);
  checks.push('invalid arguments');

  if (client.prompt) {
    assert.equal(await client.prompt('greet', { who: 'Ada' }), 'Greet Ada.');
    checks.push('prompt');
  }
  if (client.resource) {
    assert.equal(await client.resource('docs://rules'), 'Carry the one.');
    checks.push('resource');
  }
  if (client.asks) {
    assert.equal((await client.call('ask', {})).text, 'Hello, Ada!');
    checks.push('elicitation');
  }
}
