import * as sdk from '@ai-sdk/mcp';
import { Experimental_StdioMCPTransport as StdioTransport } from '@ai-sdk/mcp/mcp-stdio';
import { connectAiSdk } from '../clients/ai-sdk-calls.mjs';
import { judge } from '../clients/judge.mjs';

await judge({
  http: (url) => connectAiSdk(sdk, { type: 'http', url }),
  sse: (url) => connectAiSdk(sdk, { type: 'sse', url }),
  stdio: ([command, ...args]) => connectAiSdk(sdk, new StdioTransport({ command, args })),
});
