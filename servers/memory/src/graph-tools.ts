import { defineTool, success } from 'toolwright';
import type { AnyToolDefinition } from 'toolwright';
import * as z from 'zod';
import { entitySchema, relationSchema } from './knowledge-graph.ts';
import type { KnowledgeGraph } from './knowledge-graph.ts';

const ADDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false };
const DELETES = { readOnlyHint: false, destructiveHint: true, idempotentHint: true, openWorldHint: false };
const READS = { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false };

const entities = z.array(entitySchema);
const relations = z.array(relationSchema);
const deleted = { success: z.boolean(), message: z.string() };

const toText = (value: unknown): { text: string } => ({ text: JSON.stringify(value, undefined, 2) });
const confirm = (message: string): ReturnType<typeof success<{ success: boolean; message: string }>> =>
  success({ success: true, message }, { text: message });

/** The tools that add to a graph. */
export function addingTools(graph: KnowledgeGraph): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'create_entities',
      title: 'Create Entities',
      description: 'Create multiple new entities in the knowledge graph',
      annotations: ADDS,
      inputSchema: { entities },
      outputSchema: { entities },
      handler: async ({ input }) => {
        const added = await graph.createEntities(input.entities);
        return success({ entities: added }, toText(added));
      },
    }),
    defineTool({
      name: 'create_relations',
      title: 'Create Relations',
      description:
        'Create multiple new relations between entities in the knowledge graph. Relations should be in active voice',
      annotations: ADDS,
      inputSchema: { relations },
      outputSchema: { relations },
      handler: async ({ input }) => {
        const added = await graph.createRelations(input.relations);
        return success({ relations: added }, toText(added));
      },
    }),
    defineTool({
      name: 'add_observations',
      title: 'Add Observations',
      description: 'Add new observations to existing entities in the knowledge graph',
      annotations: ADDS,
      inputSchema: {
        observations: z.array(
          z.object({
            entityName: z.string().describe('The name of the entity to add the observations to'),
            contents: z.array(z.string()).describe('An array of observation contents to add'),
          }),
        ),
      },
      outputSchema: {
        results: z.array(z.object({ entityName: z.string(), addedObservations: z.array(z.string()) })),
      },
      handler: async ({ input }) => {
        const results = await graph.addObservations(input.observations);
        return success({ results }, toText(results));
      },
    }),
  ];
}

/** The tools that delete from a graph. */
export function deletingTools(graph: KnowledgeGraph): AnyToolDefinition[] {
  return [
    defineTool({
      name: 'delete_entities',
      title: 'Delete Entities',
      description: 'Delete multiple entities and their associated relations from the knowledge graph',
      annotations: DELETES,
      inputSchema: { entityNames: z.array(z.string()).describe('An array of entity names to delete') },
      outputSchema: deleted,
      handler: async ({ input }) => {
        await graph.deleteEntities(input.entityNames);
        return confirm('Entities deleted successfully');
      },
    }),
    defineTool({
      name: 'delete_observations',
      title: 'Delete Observations',
      description: 'Delete specific observations from entities in the knowledge graph',
      annotations: DELETES,
      inputSchema: {
        deletions: z.array(
          z.object({
            entityName: z.string().describe('The name of the entity containing the observations'),
            observations: z.array(z.string()).describe('An array of observations to delete'),
          }),
        ),
      },
      outputSchema: deleted,
      handler: async ({ input }) => {
        await graph.deleteObservations(input.deletions);
        return confirm('Observations deleted successfully');
      },
    }),
    defineTool({
      name: 'delete_relations',
      title: 'Delete Relations',
      description: 'Delete multiple relations from the knowledge graph',
      annotations: DELETES,
      inputSchema: { relations: relations.describe('An array of relations to delete') },
      outputSchema: deleted,
      handler: async ({ input }) => {
        await graph.deleteRelations(input.relations);
        return confirm('Relations deleted successfully');
      },
    }),
  ];
}

/** The tools that read a graph. */
export function readingTools(graph: KnowledgeGraph): AnyToolDefinition[] {
  const outputSchema = { entities, relations };
  return [
    defineTool({
      name: 'read_graph',
      title: 'Read Graph',
      description: 'Read the entire knowledge graph',
      annotations: READS,
      inputSchema: {},
      outputSchema,
      handler: () => graph.read(),
    }),
    defineTool({
      name: 'search_nodes',
      title: 'Search Nodes',
      description: 'Search for nodes in the knowledge graph based on a query',
      annotations: READS,
      inputSchema: {
        query: z
          .string()
          .describe('The search query to match against entity names, types, and observation content'),
      },
      outputSchema,
      handler: ({ input }) => graph.search(input.query),
    }),
    defineTool({
      name: 'open_nodes',
      title: 'Open Nodes',
      description: 'Open specific nodes in the knowledge graph by their names',
      annotations: READS,
      inputSchema: { names: z.array(z.string()).describe('An array of entity names to retrieve') },
      outputSchema,
      handler: ({ input }) => graph.open(input.names),
    }),
  ];
}
