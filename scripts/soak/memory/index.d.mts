/** How many bytes were sent and read, and which response came how often. */
export interface AttackReport {
  readonly sent: number;
  readonly received: number;
  readonly replies: Readonly<Record<string, number>>;
}

/** What an attack came to. */
export interface MemoryFound {
  readonly report: Readonly<Record<string, AttackReport>>;
}

export interface MemoryAttack {
  readonly attacks: readonly string[];
  readonly seconds: number;
  /** How long the server keeps tasks and sessions. */
  readonly keptMs: number;
  /** What all attackers send together. */
  readonly bytesPerSecond?: number;
  /** The file of another server. */
  readonly server?: string;
}

/** Every attack, by name. */
export const ATTACKS: Readonly<Record<string, unknown>>;

export function attackMemory(attack: MemoryAttack): Promise<MemoryFound>;

export interface FigureOptions {
  /** Whether times by the clock count. Default: true. */
  readonly isTimed?: boolean;
}

/** The figures: name, value, promised, whether it holds. */
export function memoryFigures(
  found: MemoryFound,
  options?: FigureOptions,
): readonly (readonly [what: string, value: string, promised: string, holds: boolean])[];

export function formatMemory(found: MemoryFound, options?: FigureOptions): string;
