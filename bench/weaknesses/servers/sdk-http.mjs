/** The SDK over HTTP as its documentation shows it for node:http: the guards, the handler, `handler.close()` at the end. */
import { createServer } from 'node:http';
import {
  localhostHostValidation,
  localhostOriginValidation,
  toNodeHandler,
} from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { createSdkServer } from './sdk.mjs';

const handler = createMcpHandler(createSdkServer);
const handle = toNodeHandler(handler);
const validateHost = localhostHostValidation();
const validateOrigin = localhostOriginValidation();

const http = createServer((request, response) => {
  if (validateHost(request, response) && validateOrigin(request, response)) void handle(request, response);
});
process.once('SIGTERM', () => {
  void handler.close().then(() => process.exit(0));
});
http.listen(0, '127.0.0.1', () => process.send({ port: http.address().port }));
