/** Tries to serve with the options it is given, one after another, and tells what came of each. Never listens: that is what must not happen. */
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
