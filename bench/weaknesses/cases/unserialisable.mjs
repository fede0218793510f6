import { call, describeStatus } from '../requests.mjs';

/** Timeout of the client; that of undici is 300 s. */
const LIMIT_MS = 5000;

const DEPTH = 5000;

/** Results that cannot be serialized as JSON must still get a response. */
export const unserialisable = [
  toCase('result with a BigInt', 'bigint'),
  toCase('result with a cycle', 'cycle'),
  toCase('result 10,000 levels deep', 'nested'),
  toCase('5,000 levels sent in, echoed', 'echo', `{"value":${'['.repeat(DEPTH)}${']'.repeat(DEPTH)}}`),
];

function toCase(title, tool, args) {
  return {
    title,
    on: 'http',
    run: async (server) => {
      const answer = await call(server.port, tool, { args, limitMs: LIMIT_MS });
      const isAnswered = answer.status > 0 && answer.status < 500 && isJsonRpc(answer.body);
      const measured = isAnswered ? `${answer.status} in ${answer.ms} ms` : describeStatus(answer);
      return {
        isWeak: !isAnswered,
        measured: answer.status === undefined ? `${measured} in ${LIMIT_MS / 1000} s` : measured,
      };
    },
  };
}

function isJsonRpc(body) {
  return /"jsonrpc":\s*"2\.0"/.test(body) && /"(?:result|error)"/.test(body);
}
