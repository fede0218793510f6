/** Toolwright over HTTP; with `--sign-in` it requires authentication. */
import { createOurServer, loadEntry } from './toolwright.mjs';
import { findUser } from './users.mjs';

const { refuse, serveHttp } = await loadEntry('http');
const server = await createOurServer();
const authenticate = ({ headers }) => {
  const id = findUser(headers.get('authorization'));
  return id === undefined ? refuse() : { id };
};
const running = await serveHttp(server, {
  port: 0,
  ...(process.argv.includes('--sign-in') ? { authenticate } : {}),
});
process.once('SIGTERM', () => {
  void running.close().then(() => server.close());
});
process.send({ port: running.port });
