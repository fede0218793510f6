import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { createSdkServer } from './sdk.mjs';

serveStdio(createSdkServer);
