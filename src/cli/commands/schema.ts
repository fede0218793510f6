import { CONFIG_SCHEMA } from '../../config/schema/config-schema.ts';
import { EXIT_CODES, refuseMore } from '../terminal/command.ts';
import type { Command } from '../terminal/command.ts';

/** `toolwright schema` */
export const schema: Command = {
  name: 'schema',
  summary: 'Print the JSON Schema of configuration files, for editors',
  usage: [''],
  flags: {},
  examples: [
    [
      'toolwright schema > toolwright.schema.json',
      'write it to a file, for "$schema": "./toolwright.schema.json" in the configuration',
    ],
  ],
  run: async ({ terminal, positionals }) => {
    refuseMore(positionals, 0, '"toolwright schema" takes no arguments.');
    terminal.out(JSON.stringify(CONFIG_SCHEMA, undefined, 2));
    return EXIT_CODES.ok.code;
  },
};
