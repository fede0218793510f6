/** Completion of prompt arguments; the values of the second argument depend on the first. */
import { Client } from '@modelcontextprotocol/client';
import { connectInMemory, createServer, definePrompt } from 'toolwright';

const streets = { Basel: ['Freie Strasse', 'Rheingasse'], Bern: ['Kramgasse'] };
const visit = definePrompt({
  name: 'visit',
  arguments: [{ name: 'city', required: true }, { name: 'street' }],
  complete: {
    city: Object.keys(streets),
    street: (typed, { arguments: { city = '' } }) =>
      (streets[city] ?? []).filter((street) => street.startsWith(typed)),
  },
  template: String.raw`Plan a walk along {{street}} in {{city}}. Write \{{name}} where my name belongs.`,
});

const server = createServer({ name: 'travel', version: '1.0.0', prompts: [visit] });
const client = new Client({ name: 'example', version: '1.0.0' });
await client.connect(connectInMemory(server));
const ref = { type: 'ref/prompt', name: 'visit' };
console.log((await client.complete({ ref, argument: { name: 'city', value: 'b' } })).completion.values);
const chosen = { arguments: { city: 'Basel' } };
console.log(
  (await client.complete({ ref, argument: { name: 'street', value: 'R' }, context: chosen })).completion
    .values,
);
const { messages } = await client.getPrompt({
  name: 'visit',
  arguments: { city: 'Basel', street: 'Rheingasse' },
});
console.log(messages[0].content.text);
await client.close();
await server.close();
