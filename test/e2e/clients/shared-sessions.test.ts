import { describe, expect, test } from 'vitest';
import { connectOverHttp } from '../../support/served-clients.ts';
import { SharedNodes } from '../../support/shared-nodes.ts';

const NAMES = ['v1', 'v2 legacy'] as const;

/** Whether all consecutive requests went to different nodes. */
function hopped({ proxy }: SharedNodes): boolean {
  return (
    proxy.hops.length > 3 && proxy.hops.every(({ node }, at, { [at - 1]: before }) => node !== before?.node)
  );
}

describe.each(NAMES)('the %s client in a session that two nodes serve', (name) => {
  test('lists, calls, reads and gets prompts, with every request at another node', async () => {
    await using nodes = await SharedNodes.start(2);
    await using client = await nodes.connect(name);
    expect((await client.listTools()).map((tool) => tool.name)).toContain('echo');
    for (const text of ['a', 'b', 'c']) expect(await client.callText('echo', { text })).toBe(text);
    expect((await client.listPrompts()).map((prompt) => prompt.name)).toContain('hello');
    const { contents } = await client.official.readResource({ uri: 'scenario://watched' });
    expect(contents).toMatchObject([{ uri: 'scenario://watched', text: 'look' }]);
    expect(hopped(nodes)).toBe(true);
  });

  test('is asked by one node and responds to the other', async () => {
    await using nodes = await SharedNodes.start(2);
    await using client = await nodes.connect(name);
    client.answers.elicit = () => ({ action: 'accept', content: { name: 'Rex' } });
    client.answers.sample = () => ({ role: 'assistant', model: 'm', content: { type: 'text', text: '42' } });
    client.answers.roots = () => ({ roots: [{ uri: 'file:///work', name: 'work' }] });
    for (let left = 3; left > 0; left -= 1) {
      const asked = nodes.proxy.hops.length;
      const { structuredContent } = await client.callTool('name_pet');
      expect(structuredContent).toMatchObject({ action: 'accept', content: { name: 'Rex' } });
      const [call, response] = nodes.proxy.hops.slice(asked);
      expect([call?.method, response?.method, call?.node === response?.node]).toEqual([
        'POST',
        'POST',
        false,
      ]);
    }
    expect(await client.callText('ask_model')).toContain('42');
    expect(await client.callText('ask_roots')).toContain('file:///work');
  });

  test('gets progress and log messages, by a level that it set at another node', async () => {
    await using nodes = await SharedNodes.start(2);
    await using client = await nodes.connect(name);
    const key = crypto.randomUUID();
    const seen: number[] = [];
    let isThird: () => void = () => {};
    const third = new Promise<void>((resolve) => (isThird = resolve));
    nodes.proxy.turnTo(0);
    const counted = client.callText(
      'count_up',
      { key },
      { onprogress: ({ progress }) => (seen.push(progress) === 3 ? isThird() : undefined) },
    );
    await third;
    nodes.proxy.turnTo(0);
    await client.callText('go_on', { key });
    expect([await counted, seen]).toEqual(['counted', [1, 2, 3]]);
    await client.official.setLoggingLevel('error');
    const levels = async (): Promise<unknown[]> => {
      client.heard.length = 0;
      await client.callText('speak');
      return client.heard
        .filter(({ method }) => method === 'notifications/message')
        .map(({ params }) => params?.['level']);
    };
    expect(await levels()).toEqual(['error']);
    expect(await levels()).toEqual(['error']);
    await client.official.setLoggingLevel('debug');
    expect(await levels()).toEqual(['debug', 'info', 'error']);
  });

  test('is notified of changes and updates of all nodes', async () => {
    await using nodes = await SharedNodes.start(2);
    await using client = await nodes.connect(name);
    for (const server of nodes.servers) {
      await client.official.subscribeResource({ uri: 'scenario://watched' });
      const updated = client.next('notifications/resources/updated');
      server.resources?.notifyUpdated('scenario://watched');
      expect((await updated).params).toEqual({ uri: 'scenario://watched' });
      await client.official.unsubscribeResource({ uri: 'scenario://watched' });
      client.heard.length = 0;
      const changed = client.next('notifications/tools/list_changed');
      server.resources?.notifyUpdated('scenario://watched');
      server.announceChange('tools');
      await changed;
      expect(client.heard.map(({ method }) => method)).toEqual(['notifications/tools/list_changed']);
    }
  });

  test('cancels a call that runs at another node', async () => {
    await using nodes = await SharedNodes.start(2);
    await using client = await nodes.connect(name);
    await using other = await connectOverHttp('v2 pinned', nodes.urlOf(0));
    const key = crypto.randomUUID();
    const abort = new AbortController();
    nodes.proxy.turnTo(0);
    const onprogress = (): void => abort.abort('enough');
    const hanging = client.callTool('hang', { key }, { signal: abort.signal, onprogress });
    await expect(hanging).rejects.toThrow();
    expect(await other.callText('await_stop', { key })).toBe('AbortError');
    expect(nodes.proxy.hops.at(-1)).toMatchObject({ method: 'POST', node: 1 });
  });
});
