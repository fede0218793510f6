import { EXIT_CODES } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { OPENAPI_FLAGS } from '../openapi/plan/openapi-flags.ts';
import { VERSION } from '../terminal/version.ts';

/** `toolwright openapi` */
export const openapi: Command = {
  name: 'openapi',
  summary: 'Serve the operations of an OpenAPI document as tools',
  usage: ['<document> [options]', '<name>=<document> <name>=<document> \u2026 [options]'],
  details: `A document is a file, a URL, or "-" for standard input: Swagger 2.0, OpenAPI 3.0, 3.1 or 3.2, JSON or YAML. Several need a name each,
which stands in front of the names of their tools. What is for one of them begins with its name: --base-url shop=https://\u2026,
--credential shop.api_key=env:KEY, --headers "shop.X-Key: \u2026". In [brackets]: the variable that stands for a flag that is not given.
What is given on a command line can be read by others on this machine: env:NAME is for secrets.`,
  flags: OPENAPI_FLAGS,
  examples: [
    ['toolwright openapi petstore.yaml --dry-run', 'what would become of each operation, and what it costs'],
    ['toolwright openapi petstore.yaml --credential api_key=env:PETSTORE_KEY', 'for a client that starts it'],
    [
      'toolwright openapi https://api.example.com/openapi.json --http --exposure search',
      'over HTTP, a large API',
    ],
    [
      'toolwright openapi shop=shop.yaml users=users.yaml --tag public',
      'two APIs, of each the operations of a tag',
    ],
  ],
  run: async (call) => {
    if (call.flags['version'] === true) {
      call.terminal.out(VERSION);
      return EXIT_CODES.ok.code;
    }
    // Only who has a document needs everything that reads one.
    const { runOpenApi } = await import('../openapi/run-openapi.ts');
    return runOpenApi(call);
  },
};
