/** Bytes sent and received by an attack, and the number of its responses by outcome. */
export interface AttackReport {
  readonly sent: number;
  readonly received: number;
  readonly replies: Readonly<Record<string, number>>;
}

/** Results of a memory attack. */
export interface MemoryFound {
  readonly report: Readonly<Record<string, AttackReport>>;
}

export interface MemoryAttack {
  readonly attacks: readonly string[];
  readonly seconds: number;
  /** Retention time of tasks and sessions. */
  readonly keptMs: number;
  /** Maximum rate of all attackers together. */
  readonly bytesPerSecond?: number;
  /** The file of another server. */
  readonly server?: string;
}

/** Attacks by name. */
export const ATTACKS: Readonly<Record<string, unknown>>;

export function attackMemory(attack: MemoryAttack): Promise<MemoryFound>;

export interface FigureOptions {
  /** Whether wall-clock times count. Default: true. */
  readonly isTimed?: boolean;
}

/** The figures: name, value, promise, whether it holds. */
export function memoryFigures(
  found: MemoryFound,
  options?: FigureOptions,
): readonly (readonly [what: string, value: string, promised: string, holds: boolean])[];

export function formatMemory(found: MemoryFound, options?: FigureOptions): string;
