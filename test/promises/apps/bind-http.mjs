/** Tries to serve with each of the given options, and reports the results. It must never listen. */
import { Server } from 'node:http';
import { createServer } from 'toolwright';
import { serveHttp } from 'toolwright/http';

const server = createServer({ name: 'bind', version: '1.0.0', tools: [] });
const attempts = [];
for (const options of JSON.parse(process.argv[2])) {
  attempts.push(
    await new Promise((resolve) => {
      Server.prototype.listen = () => resolve('listens');
      serveHttp(server, { ...options, port: 0 }).catch(({ code }) => resolve(code));
    }),
  );
}
process.send({ attempts });
