import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { assertBuilt, createScratchFolder, ROOT, runModule } from '../support/dist.ts';

const scratch = createScratchFolder();
beforeAll(assertBuilt);
afterAll(scratch.remove);

const SOURCE = `
import { tool, toolsFrom, ToolRegistry } from 'toolwright';
import * as z from 'zod';

class Tools {
  #greeting = 'Hello';
  @tool({ description: 'Greets', inputSchema: z.object({ name: z.string() }) })
  greet(input: { name: string }) {
    return \`\${this.#greeting}, \${input.name}!\`;
  }
  @tool({ description: 'Doubles', inputSchema: z.object({ n: z.number() }) })
  double = ({ n }: { n: number }) => n * 2;
}

const registry = new ToolRegistry().registerAll(toolsFrom(new Tools()));
for (const [name, args] of [['greet', { name: 'Ada' }], ['double', { n: 4 }]] as const) {
  console.log(JSON.stringify((await registry.executeTool({ name, arguments: args })).content));
}
`;

// vitest compiles decorators with esbuild; many users compile them with TypeScript itself, whose output differs.
test.each(['ES2022', 'ES2023'])('decorators compiled by tsc for %s work', async (target) => {
  const name = `decorated-${target}`;
  writeFileSync(join(scratch.path, `${name}.ts`), SOURCE);
  const options = [
    '--module',
    'NodeNext',
    '--target',
    target,
    '--types',
    'node',
    '--strict',
    '--skipLibCheck',
    '--ignoreConfig',
  ];
  execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), ...options, `${name}.ts`], {
    cwd: scratch.path,
    encoding: 'utf8',
  });
  const printed = await runModule(scratch.path, 'run.mjs', `import './${name}.js';`);
  expect(printed).toBe('[{"type":"text","text":"Hello, Ada!"}]\n[{"type":"text","text":"8"}]\n');
});
