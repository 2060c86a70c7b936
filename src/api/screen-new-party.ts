import type { FastifyRequest } from 'fastify';
import type { ScopedTransaction } from '../db/client/database.ts';
import type { PartyRef } from '../domain/workflows/work-refs.ts';
import type { HttpDeps } from './deps.ts';

interface NewPartyScreening {
  /**
   * Looks up a party that the transaction has just written. What is found is never told: the answer is
   * the same.
   */
  look(tx: ScopedTransaction, id: string): Promise<void>;
  /** Once the transaction is over: has a workflow look, where that takes a call over the network. */
  start(): void;
}

/**
 * Has a new party's names looked up in the sanctions list. `start` belongs into a finally: the commit may
 * have happened whatever became of the answer, and a start too many finds no one. A start that gets lost
 * is made up for before the first payment leaves.
 */
export function screenNewParty(
  { screener, starts, workflows }: Pick<HttpDeps, 'screener' | 'starts' | 'workflows'>,
  { scope, id: requestId }: Pick<FastifyRequest, 'scope' | 'id'>,
  kind: PartyRef['kind'],
): NewPartyScreening {
  let waiting: string | null = null;
  return {
    async look(tx, id) {
      const isDone = await screener.screenNew(tx, scope, { kind, id });
      waiting = isDone ? null : id;
    },
    start() {
      if (waiting === null) return;
      const party = { ...scope, kind, id: waiting };
      starts.run('start screening', () => workflows.startScreening(party, requestId), {
        requestId,
      });
    },
  };
}
