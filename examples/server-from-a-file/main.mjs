/** A server from a configuration file, shop.yaml: an HTTP tool, a prompt and a resource. This program also starts the API that the tool calls. */
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { loadConfig } from 'toolwright/config';

const api = createServer((request, response) => {
  const [, , id] = request.url.split('/');
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ product: { id, name: 'Tea', cents: 450 }, key: request.headers['x-key'] }));
});
await new Promise((resolve) => api.listen(0, '127.0.0.1', resolve));

const file = fileURLToPath(new URL('shop.yaml', import.meta.url));
const env = { API: `http://127.0.0.1:${api.address().port}`, API_KEY: 'secret' };
const shop = await loadConfig(file, { env });
const { server } = shop;

console.log((await server.tools.executeTool({ name: 'get_product', arguments: { id: 7 } })).content[0].text);
const escaped = await server.tools.executeTool({ name: 'get_product', arguments: { id: '../admin' } });
console.log(escaped.isError, escaped.content[0].text.split('\n')[0]);
console.log(
  (await server.prompts.getPrompt({ name: 'advertise', arguments: { product: 'tea' } })).value.messages[0]
    .content.text,
);
console.log((await server.resources.readResource({ uri: 'shop://hours' })).value.contents[0].text);
await shop.close();
api.close();
api.closeAllConnections();
