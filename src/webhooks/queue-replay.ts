import type { Database, ScopedTransaction } from '../db/database.ts';
import { endCatchingUp, findEndpoint } from '../db/webhook-endpoint-store.ts';
import { hastenRetries, queueReplayPage } from '../db/webhook-queue-store.ts';
import { extendReplay, lockRunningReplay } from '../db/webhook-replay-store.ts';
import type { Clock } from '../domain/clock.ts';
import type { Scope } from '../domain/scope.ts';
import { subscribedTypes } from '../domain/webhooks/subscribed-types.ts';

/** Queued at a time: what happens meanwhile is sent between two pages. */
const PAGE = { queuedMax: 500, readMax: 5_000 };

/**
 * Queues the next events of an endpoint's replay; false where it has none, up to `newest`, that is not
 * over. `newest` must have been read within `Database.exclusive`: then whatever lies before a replay's end
 * in the log has been committed, and no event can appear behind its cursor. The log's own end is read
 * alone in the scope for the same reason.
 */
export async function queueReplay(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  endpointId: string,
  newest: bigint,
): Promise<boolean> {
  const next = { endpointId, newest, at: deps.clock.now() };
  const turn = await deps.db.write(scope, (tx) => takeTurn(tx, scope, { ...next, isAlone: false }));
  if (turn !== 'AT_END_OF_LOG') return turn === 'QUEUED';
  await deps.db.exclusive(scope, (tx) => takeTurn(tx, scope, { ...next, isAlone: true }));
  return true;
}

interface Turn {
  readonly endpointId: string;
  readonly newest: bigint;
  readonly at: Date;
  /** Whether nobody else writes in the scope. */
  readonly isAlone: boolean;
}

async function takeTurn(
  tx: ScopedTransaction,
  scope: Scope,
  { endpointId, newest, at, isAlone }: Turn,
): Promise<'NONE' | 'QUEUED' | 'AT_END_OF_LOG'> {
  const replay = await lockRunningReplay(tx, scope, endpointId, newest);
  if (replay === null) return 'NONE';
  const endpoint = await findEndpoint(tx, scope, endpointId);
  if (endpoint?.status !== 'ENABLED') return 'NONE';
  if (replay.reason === 'REQUESTED') {
    const { types } = replay;
    await queueReplayPage(tx, scope, replay, { ...PAGE, types, mayComplete: true, at });
    return 'QUEUED';
  }
  if (!replay.hasHastened) {
    await hastenRetries(tx, scope, replay, { limit: PAGE.readMax, at });
    return 'QUEUED';
  }
  if (replay.cursorSeq >= replay.untilSeq && !isAlone) return 'AT_END_OF_LOG';
  const reached = isAlone ? await extendReplay(tx, scope, replay) : replay;
  // It takes the place of what events do by themselves: as the endpoint is subscribed now.
  const page = { ...PAGE, types: subscribedTypes(endpoint.types), mayComplete: isAlone, at };
  const status = await queueReplayPage(tx, scope, reached, page);
  if (status === 'COMPLETED') await endCatchingUp(tx, scope, endpointId);
  return 'QUEUED';
}
