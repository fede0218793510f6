/** The baseline: fetches an item and returns it. */
import { BASE_URL, measureCalls } from './call-upstream.mjs';

measureCalls('floor', async (id) => {
  const response = await fetch(`${BASE_URL}/items/${encodeURIComponent(id)}`);
  return { content: [{ type: 'text', text: await response.text() }] };
});
