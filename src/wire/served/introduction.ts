import type { McpIcon } from '../../model/mcp-types.ts';
import { META } from '../messages/meta-keys.ts';

/** A server as it describes itself. */
export interface ServerDescription {
  readonly name: string;
  readonly version: string;
  readonly title?: string;
  readonly description?: string;
  readonly websiteUrl?: string;
  readonly icons?: readonly McpIcon[];
}

/** What a server says of itself, in the forms in which it is sent. */
export class Introduction {
  readonly info: ServerDescription;
  readonly instructions: string | undefined;
  /** Who sends a result: enough to know it by, without icons and descriptions. */
  readonly signature: Pick<ServerDescription, 'name' | 'version'>;
  /** Members of every result of 2026-07-28, as JSON text: what kind it is, and who sent it. */
  readonly stamp: string;

  constructor(info: ServerDescription, instructions: string | undefined) {
    const { name, version } = info;
    this.info = info;
    this.instructions = instructions;
    this.signature = { name, version };
    this.stamp = `"resultType":"complete","_meta":${JSON.stringify({ [META.serverInfo]: this.signature })}`;
  }
}
