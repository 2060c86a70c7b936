import type { Database, ScopedTransaction } from '../../db/client/database.ts';
import { endCatchingUp } from '../../db/webhooks/webhook-endpoint-change-store.ts';
import { findEndpoint } from '../../db/webhooks/webhook-endpoint-store.ts';
import { queueReplayPage } from '../../db/webhooks/webhook-queue-store.ts';
import {
  extendReplay,
  lockRunningReplay,
  settleReplay,
} from '../../db/webhooks/webhook-replay-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { subscribedTypes } from '../../domain/webhooks/subscribed-types.ts';

/** Queued at a time: what happens meanwhile is sent between two pages. */
const PAGE = { queuedMax: 500, readMax: 5_000 };

/**
 * Queues the next events of an endpoint's replay, if one is not over. Before its first page it is alone in
 * the scope once: then whatever lies before a replay's end in the log has been committed, and no event can
 * appear behind its cursor. The log's own end is read alone in the scope for the same reason. Rejects with
 * PostgreSQL's 55P03 where the writers of the scope take too long for that.
 */
export async function queueReplay(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  endpointId: string,
): Promise<void> {
  const next = { endpointId, at: deps.clock.now() };
  const turn = await deps.db.write(scope, (tx) => takeTurn(tx, scope, { ...next, isAlone: false }));
  if (turn === 'MUST_BE_ALONE') {
    await deps.db.exclusive(scope, (tx) => takeTurn(tx, scope, { ...next, isAlone: true }));
  }
}

interface Turn {
  readonly endpointId: string;
  readonly at: Date;
  /** Whether no one else writes in the scope. */
  readonly isAlone: boolean;
}

async function takeTurn(
  tx: ScopedTransaction,
  scope: Scope,
  { endpointId, at, isAlone }: Turn,
): Promise<'DONE' | 'MUST_BE_ALONE'> {
  const replay = await lockRunningReplay(tx, scope, endpointId);
  if (replay === null) return 'DONE';
  const endpoint = await findEndpoint(tx, scope, endpointId);
  if (endpoint?.status !== 'ENABLED') return 'DONE';
  if (!replay.isSettled) {
    if (!isAlone) return 'MUST_BE_ALONE';
    await settleReplay(tx, scope, replay);
    return 'DONE';
  }
  if (replay.reason === 'REQUESTED') {
    const { types } = replay;
    await queueReplayPage(tx, scope, replay, { ...PAGE, types, mayComplete: true, at });
    return 'DONE';
  }
  if (replay.cursorSeq >= replay.untilSeq && !isAlone) return 'MUST_BE_ALONE';
  const reached = isAlone ? await extendReplay(tx, scope, replay) : replay;
  // It takes the place of what events do by themselves: as the endpoint is, and was meanwhile, subscribed.
  const types = subscribedTypes(replay.types ?? endpoint.types);
  const page = { ...PAGE, types, mayComplete: isAlone, at };
  const status = await queueReplayPage(tx, scope, reached, page);
  if (status === 'COMPLETED') await endCatchingUp(tx, scope, endpointId);
  return 'DONE';
}
