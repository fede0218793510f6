import { ToolError } from '../errors/errors.ts';
import type { FileReader } from '../openapi/import-options.ts';
import type { ReadFile } from '../openapi/request/request-plan.ts';
import type { ResourcesManager } from '../resources/resources-manager.ts';

/** Reads a resource of this server as a file to upload, if the caller may read it. */
export async function readOwnFile<TContext extends object>(
  resources: ResourcesManager<TContext>,
  uri: string,
  { principal, accessToken, signal }: FileReader,
): Promise<ReadFile> {
  const reply = await resources.readResource({
    uri,
    signal,
    ...(principal === undefined ? {} : { principal }),
    ...(accessToken === undefined ? {} : { accessToken }),
  });
  const content = reply.kind === 'value' ? reply.value.contents[0] : undefined;
  if (content === undefined)
    throw new ToolError(
      `Unknown resource ${JSON.stringify(uri)}: only resources of this server can be sent as a file.`,
    );
  const name = uri.slice(uri.lastIndexOf('/') + 1).split(/[?#]/)[0];
  const bytes =
    'blob' in content ? Buffer.from(String(content.blob), 'base64') : Buffer.from(String(content.text));
  return { bytes, mimeType: content.mimeType, name };
}
