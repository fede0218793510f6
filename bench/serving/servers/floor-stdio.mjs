/** No framework: what any server must do for a call over standard input and output. */
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
