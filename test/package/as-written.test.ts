import { execFileSync } from 'node:child_process';
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT, runModule } from '../support/dist.ts';

// Code that was written for the design of other servers: it compiles with the types of the package, and runs as JavaScript. test/contracts
// tests its behaviour.
const OPTIONS =
  '--ignoreConfig --rootDir . --outDir . --module NodeNext --target ES2022 --types node --skipLibCheck --strict';
// One example reads the `message` of any thrown value.
const CATCH = '--useUnknownInCatchVariables false';

const scratch = createScratchFolder();
beforeAll(() => {
  assertBuilt();
  cpSync(join(ROOT, 'test/fixtures/typescript/as-written'), scratch.path, { recursive: true });
  const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
  const args = [...`${OPTIONS} ${CATCH}`.split(' '), 'primitives.ts', 'registration.ts'];
  execFileSync(process.execPath, [compiler, ...args], {
    cwd: scratch.path,
    stdio: ['ignore', 'inherit', 'inherit'],
  });
}, 60_000);
afterAll(scratch.remove);

const run = (name: string): Promise<string> => runModule(scratch.path, 'run.mjs', `import './${name}.js';`);

test('a tool with default arguments, registered in a registry', async () => {
  expect(await run('registration')).toBe(`{"accounts":[{"name":"Checking","budget":"household"}]}
{"accounts":[{"name":"Checking","budget":"business"}]}
`);
});

test('a server of the SDK with the operations of a document, custom tools, prompts and resources', async () => {
  const printed = `listPets, shout, fail
listPets [{"type":"text","text":"[\\"Rex\\"]"}] undefined
shout [{"type":"text","text":"HI"}] undefined
fail [{"type":"text","text":"Error: no such format"}] true
greet
{"messages":[{"role":"user","content":{"type":"text","text":"Hello Ada"}}]}
docs://guide
{"contents":[{"uri":"docs://guide","mimeType":"text/plain","text":"Feed them."}]}
Tool with name 'fail' already exists
Prompt with name 'greet' already exists. Rename one of them, or remove the first with removePrompt.
Resource with URI 'docs://guide' already exists. Give one of them another URI, or remove the first with removeResource.
`;
  // Once for each official client.
  expect(await run('primitives')).toBe(printed.repeat(2));
});
