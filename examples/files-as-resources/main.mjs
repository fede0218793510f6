/** Files of a folder as resources. Paths that lead outside of the folder are rejected. */
import { ResourcesManager } from 'toolwright';
import { directoryResources } from 'toolwright/files';

const root = new URL('manual/', import.meta.url);
const resources = new ResourcesManager({
  resources: directoryResources({ root, uri: 'docs://manual/', name: 'manual' }),
});

for (const path of ['', 'start.md', 'data/prices.json', '../main.mjs', '..%2Fmain.mjs', '.hidden']) {
  const reply = await resources.readResource({ uri: `docs://manual/${path}` });
  console.log(
    `${path || '(list)'}:`,
    reply.kind === 'value' ? JSON.stringify(reply.value.contents[0].text) : reply.message,
  );
}
