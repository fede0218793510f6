/** One change of the file's structure. `name` is the name of its file, without the ending. */
export interface Migration {
  readonly name: string;
  readonly sql: string;
}
