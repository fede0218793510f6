/** The baseline: the minimum work of a server for a call over stdio. */
import { ready } from './control.mjs';
import { answer } from './floor.mjs';

let rest = '';
process.stdin.setEncoding('utf8');
process.stdin.on('data', (chunk) => {
  const lines = (rest + chunk).split('\n');
  rest = lines.pop();
  for (const line of lines) void reply(line);
});
ready();

async function reply(line) {
  const text = await answer(line);
  if (text !== undefined) process.stdout.write(`${text}\n`);
}
