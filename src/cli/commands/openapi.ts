import { EXIT_CODES } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';
import { OPENAPI_FLAGS } from '../openapi/plan/openapi-flags.ts';
import { VERSION } from '../terminal/version.ts';

/** `toolwright openapi` */
export const openapi: Command = {
  name: 'openapi',
  summary: 'Serve the operations of an OpenAPI document as tools',
  usage: ['<document> [options]', '<name>=<document> <name>=<document> \u2026 [options]'],
  details: `A document is a file, a URL, or "-" for standard input: Swagger 2.0, OpenAPI 3.0, 3.1 or 3.2, JSON or YAML. Several documents
need a name each, which becomes the prefix of their tool names. Options for one of them begin with its name: --base-url
shop=https://\u2026, --credential shop.api_key=env:KEY, --headers "shop.X-Key: \u2026". The environment variable in [brackets] is used if the
option is not given. Other users of this machine can read your command lines: pass secrets as env:NAME.`,
  flags: OPENAPI_FLAGS,
  examples: [
    ['toolwright openapi petstore.yaml --dry-run', 'show the tool of each operation and its size in tokens'],
    [
      'toolwright openapi petstore.yaml --credential api_key=env:PETSTORE_KEY',
      'serve on standard input and output, with an API key',
    ],
    [
      'toolwright openapi https://api.example.com/openapi.json --http --exposure search',
      'serve a large API over HTTP',
    ],
    [
      'toolwright openapi shop=shop.yaml users=users.yaml --tag public',
      'serve the operations with a tag of two APIs',
    ],
  ],
  run: async (call) => {
    if (call.flags['version'] === true) {
      call.terminal.out(VERSION);
      return EXIT_CODES.ok.code;
    }
    // Loaded lazily: the other commands do not need the importer.
    const { runOpenApi } = await import('../openapi/run-openapi.ts');
    return runOpenApi(call);
  },
};
