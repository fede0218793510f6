/** Imports documents with private addresses, calls all of their tools, and records connections; none is opened. */
import { ToolRegistry } from 'toolwright';
import { fromOpenAPI } from 'toolwright/openapi';
import { connectTestClient } from 'toolwright/testing';
import { createResolve, takeConnects } from './connects.mjs';

process.on('message', async ({ document, options, answers }) => {
  const outbound = { resolve: createResolve(answers), maxRetries: 0, breaker: { failures: 1_000_000 } };
  const failures = [];
  try {
    const { tools, report } = await fromOpenAPI(document, { ...options, outbound });
    const registry = new ToolRegistry();
    registry.registerAll(tools);
    const client = connectTestClient(registry);
    for (const { key, name, reason } of report.operations) {
      const { isError, text } =
        name === undefined ? { isError: true, text: reason } : await client.callTool(name, {});
      failures.push(`${key}: ${isError ? text : 'answered'}`);
    }
  } catch (error) {
    failures.push(`all: ${error.message}`);
  }
  process.send({ connects: takeConnects(), failures });
});
// Keeps the process alive.
setInterval(() => {}, 60_000);
process.send({ port: 0 });
