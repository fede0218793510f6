/** `toolwright/files`: files of a folder as resources, files in results, and file paths as arguments. */
export { audio, file, image } from './resources/files/content-blocks.ts';
export type { BlockOptions, BlockSource, FileBlockOptions } from './resources/files/content-blocks.ts';
export { containPath } from './resources/files/contain-path.ts';
export type { ContainPathOptions } from './resources/files/contain-path.ts';
export { directoryResources } from './resources/files/directory-resources.ts';
export type { DirectoryOptions } from './resources/files/directory-resources.ts';
