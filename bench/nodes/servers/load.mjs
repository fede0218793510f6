/** The load of `workers.mjs`: connections with one request each at a time. It sleeps while it waits, so that it uses little of the two cores. */
import { connect } from 'node:net';
import { AnswerReader } from '../../serving/load/answer-reader.mjs';
import { modernCall } from '../requests.mjs';

async function measure({ port, tool, connections, ms }) {
  const before = process.cpuUsage();
  const startedAt = performance.now();
  const bytes = modernCall(port, tool);
  const counts = await Promise.all(
    Array.from({ length: connections }, () => runOne(port, bytes, startedAt + ms)),
  );
  const { user, system } = process.cpuUsage(before);
  const count = counts.reduce((sum, each) => sum + each, 0);
  process.send({ count, wallMs: performance.now() - startedAt, cpuMs: (user + system) / 1000 });
}
process.on('message', (message) => void measure(message));
console.log('ready');

function runOne(port, bytes, endsAt) {
  return new Promise((resolve, reject) => {
    const socket = connect({ port, host: '127.0.0.1', noDelay: true });
    const reader = new AnswerReader();
    let count = 0;
    socket.on('connect', () => socket.write(bytes));
    socket.on('error', reject);
    socket.on('data', (chunk) => {
      const answer = reader.push(chunk);
      if (answer === undefined) return;
      const [message] = answer.messages;
      if (answer.status !== 200 || message.result?.content?.[0]?.text !== 'done')
        return reject(new Error(`wrong response: ${JSON.stringify(message)}`));
      count += 1;
      if (performance.now() < endsAt) return socket.write(bytes);
      socket.destroy();
      return resolve(count);
    });
  });
}
