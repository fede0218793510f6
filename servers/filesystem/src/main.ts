import { createServer, defineMiddleware, ToolError, ToolRegistry, ToolwrightError } from 'toolwright';
import { serveStdio } from 'toolwright/stdio';
import { findDirectories, findRoots, resolvePath } from './allowed-paths.ts';
import { findingTools, listingTools } from './listing-tools.ts';
import { readingTools } from './reading-tools.ts';
import { moveFile, writingTools } from './writing-tools.ts';

const MAX_BYTES = 64 * 1024 * 1024;

/** As in the official SDK: callers see the messages of all errors. */
const showErrors = defineMiddleware(({ next }) =>
  next().catch((error: unknown) => {
    if (error instanceof ToolwrightError) throw error;
    throw new ToolError(error instanceof Error ? error.message : String(error), { cause: error });
  }),
);

const given = process.argv.slice(2);
const directories = await findDirectories(given);
if (given.length > 0 && directories.length === 0) {
  console.error('Error: None of the specified directories are accessible');
  process.exit(1);
}

/** The roots of the client that are directories; otherwise the directories of the command line. */
const withDirectories = defineMiddleware(async ({ context, next }) => {
  const roots = context.client.capabilities?.roots ? await findRoots(await context.askRoots('roots')) : [];
  const allowed = roots.length > 0 ? roots : directories;
  return next({ allowed, resolvePath: (path: string) => resolvePath(path, allowed) });
});

const registry = new ToolRegistry({ name: 'files', maxResultBytes: MAX_BYTES })
  .use(showErrors)
  .use(withDirectories)
  .registerAll([...readingTools, ...writingTools, ...listingTools, moveFile, ...findingTools]);

serveStdio(
  createServer({
    name: 'secure-filesystem-server',
    version: '0.2.0',
    tools: registry,
    limits: { maxMessageBytes: MAX_BYTES },
  }),
);
