import { StdioTransport } from '@tmcp/transport-stdio';
import { ready } from './control.mjs';
import { server } from './tmcp.mjs';

new StdioTransport(server).listen();
ready();
