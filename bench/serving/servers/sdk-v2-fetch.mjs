import { createMcpHandler } from '@modelcontextprotocol/server';
import { measureFetch } from './fetch-batch.mjs';
import { createSdkServer } from './sdk-v2.mjs';

measureFetch('SDK v2', createMcpHandler(createSdkServer).fetch);
