/** The baseline: the minimum work of a fetch handler for a call. */
import { measureFetch } from './fetch-batch.mjs';
import { answer } from './floor.mjs';

measureFetch('floor', async (request) => {
  const text = await answer(await request.text());
  return new Response(text, { headers: { 'content-type': 'application/json' } });
});
