/** `toolwright/files`: the files of a folder as resources. */
export { directoryResources } from './resources/files/directory-resources.ts';
export type { DirectoryOptions } from './resources/files/directory-resources.ts';
