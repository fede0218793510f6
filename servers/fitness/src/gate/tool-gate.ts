import type { Policy, Principal } from 'toolwright';
import type { Clock } from 'toolwright/collaborators';
import { findStanding, readRevision } from '../accounts/standings.ts';
import type { Database } from '../database/database.ts';
import { CATALOG } from './catalog.ts';
import { decide } from './decide.ts';
import type { Standing } from './standing.ts';

/** A change of another process is announced after this time at most. A list or call sees it at once. */
const POLL_MS = 500;

const MAX_STANDINGS = 10_000;

/**
 * Decides about tools by the state of the database. Standings are kept in memory until the revision of the database changes. The revision
 * is read once per synchronous run, so that all decisions of one list have the same state, and the next list or call has the newest.
 */
export class ToolGate {
  readonly disabledTools: ReadonlySet<string>;
  readonly #database: Database;
  /** By id of the user. */
  readonly #standings = new Map<string, Standing | undefined>();
  readonly #listeners = new Set<() => void>();
  #revision: number | undefined;
  #isCurrent = false;

  constructor(database: Database, disabledTools: ReadonlySet<string>) {
    this.#database = database;
    this.disabledTools = disabledTools;
    this.#revision = readRevision(database);
  }

  /** The policy of the tools. A name that is not in the catalog is hidden, and so is every tool if the database fails. */
  readonly policy: Policy = ({ name }, { principal }) => {
    const tool = CATALOG.get(name);
    const standing = this.findStanding(principal);
    return (
      tool !== undefined && standing !== undefined && decide(tool, standing, this.disabledTools).isAllowed
    );
  };

  /** The standing of a caller; undefined if its user does not exist. Roles and tenants of the principal are not used: they may be old. */
  findStanding(principal: Principal | undefined): Standing | undefined {
    this.#update();
    if (principal === undefined) return ANONYMOUS;
    const { id } = principal;
    if (!this.#standings.has(id)) this.#load(id);
    return this.#standings.get(id);
  }

  /** Calls back after a change that decisions depend on. Returns a function that ends this. */
  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  }

  /** Drops the state in memory, and notifies the listeners if the database has another. Called after each change by this process. */
  refresh(): void {
    this.#isCurrent = false;
    this.#update();
  }

  /** Looks for changes of other processes. Returns a function that ends this. */
  watch(clock: Clock): () => void {
    let cancel = (): void => {};
    const poll = (): void => {
      try {
        this.refresh();
      } catch {
        // The policy reports it: each decision fails as well, and hides its tool.
      }
      cancel = clock.schedule(poll, POLL_MS, true);
    };
    cancel = clock.schedule(poll, POLL_MS, true);
    return () => cancel();
  }

  #update(): void {
    if (this.#isCurrent) return;
    let revision: number | undefined;
    try {
      revision = readRevision(this.#database);
    } finally {
      // Undefined if the database fails: no tool is visible then, which is a change, and its end is one.
      this.#setRevision(revision);
    }
    this.#isCurrent = true;
    queueMicrotask(() => {
      this.#isCurrent = false;
    });
  }

  #setRevision(revision: number | undefined): void {
    if (this.#revision === revision) return;
    this.#revision = revision;
    this.#standings.clear();
    // Not within a decision.
    queueMicrotask(() => {
      for (const listener of this.#listeners) listener();
    });
  }

  #load(id: string): void {
    this.#database.read(() => {
      // Another process may have changed the database since the last look.
      this.#setRevision(readRevision(this.#database));
      this.#standings.set(id, findStanding(this.#database, id));
    });
    for (const oldest of this.#standings.keys()) {
      if (this.#standings.size <= MAX_STANDINGS) break;
      this.#standings.delete(oldest);
    }
  }
}

const ANONYMOUS: Standing = { role: 'anonymous' };
