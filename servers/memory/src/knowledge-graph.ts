import { randomUUID } from 'node:crypto';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import * as z from 'zod';

/** A node of the graph. */
export const entitySchema = z.object({
  name: z.string().describe('The name of the entity'),
  entityType: z.string().describe('The type of the entity'),
  observations: z.array(z.string()).describe('An array of observation contents associated with the entity'),
});
type Entity = z.infer<typeof entitySchema>;

/** An edge of the graph. */
export const relationSchema = z.object({
  from: z.string().describe('The name of the entity where the relation starts'),
  to: z.string().describe('The name of the entity where the relation ends'),
  relationType: z.string().describe('The type of the relation'),
});
type Relation = z.infer<typeof relationSchema>;

/** Entities and relations, in the order in which they were added. */
export interface Graph {
  entities: Entity[];
  relations: Relation[];
}

/** A knowledge graph in a file with one JSON object per line. It is independent of MCP. */
export class KnowledgeGraph {
  readonly #file: string;

  constructor(file: string) {
    this.#file = file;
  }

  /** The whole graph. A file that does not exist is an empty graph. */
  async read(): Promise<Graph> {
    const entities: Entity[] = [];
    const relations: Relation[] = [];
    for (const line of (await this.#readFile()).split('\n')) {
      if (line.trim() === '') continue;
      const { type, ...item } = JSON.parse(line) as { type: string };
      if (type === 'entity') entities.push(item as Entity);
      if (type === 'relation') relations.push(item as Relation);
    }
    return { entities, relations };
  }

  /** Adds the entities whose names are new, and returns them. */
  async createEntities(entities: readonly Entity[]): Promise<Entity[]> {
    const graph = await this.read();
    const added = entities.filter(({ name }) => !graph.entities.some((entity) => entity.name === name));
    await this.#write({ ...graph, entities: [...graph.entities, ...added] });
    return added;
  }

  /** Adds the relations that are new, and returns them. */
  async createRelations(relations: readonly Relation[]): Promise<Relation[]> {
    const graph = await this.read();
    const added = relations.filter((relation) => !graph.relations.some((other) => isSame(relation, other)));
    await this.#write({ ...graph, relations: [...graph.relations, ...added] });
    return added;
  }

  /** Adds the observations that an entity does not have; throws for an unknown entity, and then changes nothing. */
  async addObservations(
    additions: readonly { readonly entityName: string; readonly contents: readonly string[] }[],
  ): Promise<{ entityName: string; addedObservations: string[] }[]> {
    const graph = await this.read();
    const added = additions.map(({ entityName, contents }) => {
      const entity = graph.entities.find(({ name }) => name === entityName);
      if (entity === undefined) throw new Error(`Entity with name ${entityName} not found`);
      const addedObservations = contents.filter((content) => !entity.observations.includes(content));
      entity.observations.push(...addedObservations);
      return { entityName, addedObservations };
    });
    await this.#write(graph);
    return added;
  }

  /** Deletes entities, and the relations from and to them. */
  async deleteEntities(names: readonly string[]): Promise<void> {
    const { entities, relations } = await this.read();
    await this.#write({
      entities: entities.filter(({ name }) => !names.includes(name)),
      relations: relations.filter(({ from, to }) => !names.includes(from) && !names.includes(to)),
    });
  }

  /** Deletes observations of entities; unknown entities are skipped. */
  async deleteObservations(
    deletions: readonly { readonly entityName: string; readonly observations: readonly string[] }[],
  ): Promise<void> {
    const graph = await this.read();
    for (const { entityName, observations } of deletions) {
      const entity = graph.entities.find(({ name }) => name === entityName);
      if (entity !== undefined)
        entity.observations = entity.observations.filter((text) => !observations.includes(text));
    }
    await this.#write(graph);
  }

  async deleteRelations(relations: readonly Relation[]): Promise<void> {
    const graph = await this.read();
    const kept = graph.relations.filter((relation) => !relations.some((other) => isSame(relation, other)));
    await this.#write({ ...graph, relations: kept });
  }

  /** The entities with the query in their name, type or observations, and the relations from and to them. */
  async search(query: string): Promise<Graph> {
    const wanted = query.toLowerCase();
    return this.#select(({ name, entityType, observations }) =>
      [name, entityType, ...observations].some((text) => text.toLowerCase().includes(wanted)),
    );
  }

  /** The entities with these names, and the relations from and to them. */
  async open(names: readonly string[]): Promise<Graph> {
    return this.#select(({ name }) => names.includes(name));
  }

  async #select(isWanted: (entity: Entity) => boolean): Promise<Graph> {
    const graph = await this.read();
    const entities = graph.entities.filter(isWanted);
    const names = new Set(entities.map(({ name }) => name));
    return {
      entities,
      relations: graph.relations.filter(({ from, to }) => names.has(from) || names.has(to)),
    };
  }

  async #readFile(): Promise<string> {
    try {
      return await readFile(this.#file, 'utf8');
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return '';
      throw error;
    }
  }

  /** Replaces the file in one step: an interrupted write leaves the previous graph. */
  async #write({ entities, relations }: Graph): Promise<void> {
    const lines = [
      ...entities.map((entity) => JSON.stringify({ type: 'entity', ...entity })),
      ...relations.map((relation) => JSON.stringify({ type: 'relation', ...relation })),
    ];
    const temporary = `${this.#file}.${randomUUID()}.tmp`;
    try {
      await writeFile(temporary, lines.join('\n'));
      await rename(temporary, this.#file);
    } finally {
      await rm(temporary, { force: true });
    }
  }
}

function isSame(one: Relation, other: Relation): boolean {
  return one.from === other.from && one.to === other.to && one.relationType === other.relationType;
}
