import { describeStatus, sendRaw, toCall, toHttp } from '../requests.mjs';

/** Requests with an ambiguous host: rejected with a 4xx status, never served. */
export const hosts = [
  toCase('two Host headers', (port) => ({ hosts: [`127.0.0.1:${port}`, 'evil.example'] })),
  toCase('Host: evil.example@127.0.0.1', () => ({ hosts: ['evil.example@127.0.0.1'] })),
  toCase('target http://evil.example/mcp', () => ({ target: 'http://evil.example/mcp' })),
];

function toCase(title, toOptions) {
  return {
    title,
    on: 'http',
    run: async (server) => {
      const { port } = server;
      const answer = await sendRaw(port, toHttp(toCall('fine'), { name: 'fine', port, ...toOptions(port) }));
      return {
        isWeak: !(answer.status >= 400 && answer.status < 500),
        measured: describeStatus(answer),
      };
    },
  };
}
