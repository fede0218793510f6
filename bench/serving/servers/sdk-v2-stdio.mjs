import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { ready } from './control.mjs';
import { createSdkServer } from './sdk-v2.mjs';

serveStdio(createSdkServer);
ready();
