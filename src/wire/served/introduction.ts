import type { McpIcon } from '../../model/mcp-types.ts';
import { META } from '../messages/meta-keys.ts';

/** Name, version and further details of a server. */
export interface ServerDescription {
  /** Name of the server, for programs. */
  readonly name: string;
  /** Version of the server. */
  readonly version: string;
  /** Name of the server, for users. */
  readonly title?: string;
  /** Description of the server, for users. */
  readonly description?: string;
  /** Website of the server. */
  readonly websiteUrl?: string;
  /** Icons of the server, for user interfaces. */
  readonly icons?: readonly McpIcon[];
}

/** Server information, in the formats in which it is sent. */
export class Introduction {
  readonly info: ServerDescription;
  readonly instructions: string | undefined;
  /** Identification in results, without icons and descriptions. */
  readonly signature: Pick<ServerDescription, 'name' | 'version'>;
  /** Members of every result of 2026-07-28 as JSON: result type and server information. */
  readonly stamp: string;

  constructor(info: ServerDescription, instructions: string | undefined) {
    const { name, version } = info;
    this.info = info;
    this.instructions = instructions;
    this.signature = { name, version };
    this.stamp = `"resultType":"complete","_meta":${JSON.stringify({ [META.serverInfo]: this.signature })}`;
  }
}
