import type { McpResource } from '../../mcp-types.ts';
import { Resource } from '../../resource.ts';
import { ResourceConverterBase } from '../resource-converter-base.ts';
import { cloneJson } from './json.ts';
import { copyAnnotations, copyIcons, toWireObject } from './wire-object.ts';

/** Converts resources to and from the entries of `resources/list`. */
export class McpResourceConverter extends ResourceConverterBase<McpResource> {
  override convertFromResource(resource: Resource): McpResource {
    return toWireObject<McpResource>(
      {
        uri: resource.uri,
        name: resource.name,
        title: resource.title,
        description: resource.description,
        mimeType: resource.mimeType,
        size: resource.size,
        annotations: copyAnnotations(resource.annotations),
        icons: copyIcons(resource.icons),
        _meta: cloneJson(resource.meta),
      },
      resource.extensions,
    );
  }

  override convertToResource(wire: McpResource): Resource {
    const { uri, name, title, description, mimeType, size, annotations, icons, _meta, ...others } = wire;
    return new Resource({
      uri,
      name,
      title,
      description,
      mimeType,
      size,
      annotations: copyAnnotations(annotations),
      icons: copyIcons(icons),
      meta: cloneJson(_meta),
      extensions: cloneJson(others),
    });
  }
}
