/** Clients of `subscriptions.mjs`: one socket each. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { modernListen } from '../requests.mjs';

let opened = 0;
let heard = 0;
let done = () => {};

async function obey(message) {
  if (message.open !== undefined) await openAll(message);
  else {
    heard = 0;
    await new Promise((resolve) => {
      done = resolve;
    });
  }
  process.send({});
}
process.on('message', (message) => void obey(message));
console.log('ready');

async function openAll({ open, port }) {
  const bytes = modernListen(port);
  for (let index = 0; index < open; index += 100)
    await Promise.all(Array.from({ length: Math.min(100, open - index) }, () => openOne(port, bytes)));
  opened = open;
}

async function openOne(port, bytes) {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  await once(socket, 'connect');
  socket.setEncoding('latin1').write(bytes);
  let text = '';
  await new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('close', () => reject(new Error(`a subscription ended: ${text}`)));
    socket.on('data', (piece) => {
      text += piece;
      if (!text.includes('acknowledged')) return;
      text = '';
      socket.removeAllListeners('data');
      resolve();
    });
  });
  socket.on('data', (piece) => {
    if (!piece.includes('list_changed')) return;
    heard += 1;
    if (heard === opened) done();
  });
}
