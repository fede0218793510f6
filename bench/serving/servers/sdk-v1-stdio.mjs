import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { ready } from './control.mjs';
import { createSdkServer } from './sdk-v1.mjs';

await createSdkServer().connect(new StdioServerTransport());
ready();
