/** `toolwright/files`: the files of a folder as resources, and arguments that name files. */
export { containPath } from './resources/files/contain-path.ts';
export type { ContainPathOptions } from './resources/files/contain-path.ts';
export { directoryResources } from './resources/files/directory-resources.ts';
export type { DirectoryOptions } from './resources/files/directory-resources.ts';
