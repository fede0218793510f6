import { createServer, silentLogger } from '../../library.mjs';
import { listTools } from '../../tools.mjs';
import { SERVER_INFO, STEPS } from '../constants.mjs';
import { specification } from './specification.mjs';

const { size, catalogue, reports } = specification;

/** The defaults, except for a rate limit that is never reached (but counted) and pages that contain every tool. */
export const server = createServer({
  ...SERVER_INFO,
  logger: silentLogger,
  rateLimit: { limit: 1e12, perMs: 60_000 },
  limits: { maxPageBytes: 100_000_000, maxPageItems: 100_000 },
  tools: listTools(size, catalogue).map(({ name, description, schema, run }) => ({
    name,
    description,
    inputSchema: schema,
    handler: reports === true ? reporting(run) : async ({ input }) => run(input),
  })),
});

function reporting(run) {
  return async ({ input, context }) => {
    for (let step = 1; step <= STEPS; step += 1) await context.progress(step, STEPS, `step ${step}`);
    return run(input);
  };
}
