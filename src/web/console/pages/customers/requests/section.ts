import type { VNode } from 'preact';
import type { SystemTransaction } from '../../../../../db/client/database.ts';
import type { WaitingRow } from '../../../../../db/operations/waiting-store.ts';
import type { Operator } from '../../../../../domain/customers/access/person.ts';
import type { ConsoleDeps } from '../../../console-deps.ts';

/** What a section of /requests is made from. */
export interface SectionInput {
  readonly deps: ConsoleDeps;
  readonly operator: Operator;
  /** What the inbox counts of access requests, where the page shows these alone. */
  readonly waiting: readonly WaitingRow[];
  /** The page's query, by name; each section reads names of its own. */
  readonly query: Readonly<Record<string, string | undefined>>;
}

/** One kind of request that waits for operators: loads what it shows, in the page's transaction. */
export type RequestSection = (tx: SystemTransaction, input: SectionInput) => Promise<VNode>;
