import { Agent, request } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { toCall, toHeaders } from '../requests.mjs';

const CLIENTS = 100;
const LOAD_MS = 2000;
const END_MS = 15_000;

export const shutdown = [
  {
    title: 'SIGTERM with 100 clients in flight',
    on: 'http',
    run: async (server) => {
      const seen = new Set();
      server.process.on('message', (message) => {
        if (message.seen !== undefined) seen.add(message.seen);
      });
      const answered = new Set();
      const clients = Array.from({ length: CLIENTS }, (_, client) => keepCalling(server, client, answered));
      await wait(LOAD_MS);
      server.process.kill('SIGTERM');
      const ended = await Promise.race([server.ended, wait(END_MS)]);
      await server.stop();
      await Promise.all(clients);
      const lost = [...seen].filter((ticket) => !answered.has(ticket)).length;
      const exit = ended === undefined ? 'did not end' : `exit ${ended.code ?? ended.signal}`;
      return {
        isWeak: lost > 0 || seen.size < CLIENTS || ended?.code !== 0,
        measured: `${lost} of ${seen.size} lost, ${exit}`,
      };
    },
  },
];

/** One client: calls again after each response, until a call fails. */
async function keepCalling({ port }, client, answered) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  for (let turn = 0; turn < 1000; turn += 1) {
    const ticket = `${client}-${turn}`;
    const ms = 200 + ((client * 37 + turn * 101) % 800);
    if (!(await isAnswered({ port, agent }, ticket, ms))) break;
    answered.add(ticket);
  }
  agent.destroy();
}

function isAnswered({ port, agent }, ticket, ms) {
  return new Promise((resolve) => {
    const headers = toHeaders('slow');
    const options = { host: '127.0.0.1', port, path: '/mcp', method: 'POST', agent, headers };
    const sent = request(options, (response) => {
      let body = '';
      response.on('data', (chunk) => {
        body += chunk;
      });
      response.on('close', () => resolve(response.complete && body.includes(`"text":"${ticket}"`)));
      response.on('error', () => resolve(false));
    });
    sent.on('error', () => resolve(false));
    sent.end(toCall('slow', { args: JSON.stringify({ ticket, ms }) }));
  });
}
