/** An entity of the API. Deleted ones are only part of deltas. */
export interface Deletable {
  readonly deleted: boolean;
}

/** A list of the API with the knowledge of the server that it has: complete, or as a delta only the changes since an earlier knowledge. */
export interface Snapshot<TEntity> {
  readonly entities: readonly TEntity[];
  readonly server_knowledge: number;
}

/** The structure of an entity. */
export interface DeltaShape<TEntity, TChild = never> {
  readonly id: (entity: TEntity) => string;
  /** Lists inside entities that are merged by id as well: the parts of a split, the categories of a group. */
  readonly children?: {
    readonly id: (child: TChild) => string;
    readonly of: (entity: TEntity) => readonly TChild[];
    readonly replace: (entity: TEntity, children: readonly TChild[]) => TEntity;
  };
  /** Whether a merged entity is consistent. An inconsistent one shows that the delta has not all changes. */
  readonly isConsistent?: (entity: TEntity) => boolean;
}

/** Whether a delta continues a known list: knowledge that jumps back belongs to another state of the server. */
export function isContinuous(
  knownKnowledge: number,
  delta: Pick<Snapshot<unknown>, 'server_knowledge'>,
): boolean {
  return Number.isSafeInteger(delta.server_knowledge) && delta.server_knowledge >= knownKnowledge;
}

/**
 * The complete list after a delta, or `'reload'` if the delta cannot be merged. Changed entities keep their place, new ones come last, deleted
 * ones are removed. The arguments are not changed.
 */
export function mergeDelta<TEntity extends Deletable, TChild extends Deletable = never>(
  known: Snapshot<TEntity>,
  delta: Snapshot<TEntity>,
  shape: DeltaShape<TEntity, TChild>,
): Snapshot<TEntity> | 'reload' {
  if (!isContinuous(known.server_knowledge, delta)) return 'reload';
  const { id, isConsistent = () => true } = shape;
  if (delta.entities.some((entity) => !id(entity))) return 'reload';
  const settled = withoutMoved(known.entities, delta.entities, shape);
  const entities = mergeById(settled, delta.entities, {
    id,
    merge: (earlier, change) => mergeChildren(earlier, change, shape),
  });
  const changed = new Set(delta.entities.map(id));
  if (entities.some((entity) => changed.has(id(entity)) && !isConsistent(entity))) return 'reload';
  return { entities, server_knowledge: delta.server_knowledge };
}

interface MergeRules<TEntity> {
  readonly id: (entity: TEntity) => string;
  readonly merge: (earlier: TEntity | undefined, change: TEntity) => TEntity;
}

function mergeById<TEntity extends Deletable>(
  known: readonly TEntity[],
  changes: readonly TEntity[],
  { id, merge }: MergeRules<TEntity>,
): TEntity[] {
  const merged = new Map(known.map((entity) => [id(entity), entity]));
  for (const change of changes) {
    if (change.deleted) merged.delete(id(change));
    else merged.set(id(change), merge(merged.get(id(change)), change));
  }
  return [...merged.values()];
}

function mergeChildren<TEntity, TChild extends Deletable>(
  earlier: TEntity | undefined,
  change: TEntity,
  { children }: DeltaShape<TEntity, TChild>,
): TEntity {
  if (children === undefined) return change;
  const known = earlier === undefined ? [] : children.of(earlier);
  const rules = { id: children.id, merge: (_: TChild | undefined, child: TChild) => child };
  return children.replace(change, mergeById(known, children.of(change), rules));
}

/** The known entities without children that moved: a category that moved to another group may be listed only there, live or deleted. */
function withoutMoved<TEntity, TChild extends Deletable>(
  known: readonly TEntity[],
  changes: readonly TEntity[],
  { id, children }: DeltaShape<TEntity, TChild>,
): readonly TEntity[] {
  if (children === undefined) return known;
  const places = new Map(
    changes.flatMap((entity) =>
      children.of(entity).map((child) => [children.id(child), id(entity)] as const),
    ),
  );
  return known.map((entity) => {
    const all = children.of(entity);
    const kept = all.filter((child) => (places.get(children.id(child)) ?? id(entity)) === id(entity));
    return kept.length === all.length ? entity : children.replace(entity, kept);
  });
}
