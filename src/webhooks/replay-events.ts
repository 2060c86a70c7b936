import type { Database, ScopedTransaction } from '../db/database.ts';
import { newId } from '../db/new-id.ts';
import { findEndpoint, type WebhookEndpointRow } from '../db/webhook-endpoint-store.ts';
import {
  insertReplay,
  lockRunningReplay,
  queueReplayPage,
  type WebhookReplayRow,
} from '../db/webhook-replay-store.ts';
import type { Clock } from '../domain/clock.ts';
import { Refusal, refuseField } from '../domain/errors/refusal.ts';
import { requireFound } from '../domain/errors/require-found.ts';
import { subscriptionsFor } from '../domain/events/envelope.ts';
import { ID_PREFIXES } from '../domain/ids.ts';
import type { Scope } from '../domain/scope.ts';
import { EVENT_TYPES } from '../domain/webhooks/event-types.ts';

/** Events that are queued at a time: what happens meanwhile is sent between two pages. */
const PAGE = 500;

export interface ReplayOrder {
  readonly endpointId: string;
  readonly from: Date;
  readonly to: Date;
  /** Types or families; all that the endpoint is subscribed to unless given. */
  readonly types?: readonly string[];
  readonly onlyFailed: boolean;
}

/**
 * Has the events of a span of time sent to an endpoint again, under their ids; its drain does so from the
 * oldest on. Refuses with not_found, webhook_endpoint_disabled, and where the span is empty.
 */
export async function replayEvents(
  deps: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { endpointId, from, to, types, onlyFailed }: ReplayOrder,
): Promise<WebhookReplayRow> {
  const endpoint = requireFound(await findEndpoint(tx, scope, endpointId));
  if (endpoint.status !== 'ENABLED') {
    throw new Refusal('webhook_endpoint_disabled', 'The endpoint is disabled: enable it first.');
  }
  if (from.getTime() >= to.getTime()) {
    throw refuseField('validation_failed', '/to', 'The end must be after the beginning.');
  }
  const replay = await insertReplay(tx, scope, {
    ...{ id: newId(ID_PREFIXES.webhookReplay), endpointId, reason: 'REQUESTED' },
    ...{ fromAt: from, toAt: to, types: typesOf(endpoint, types), onlyFailed, afterSeq: 0n },
    at: deps.clock.now(),
  });
  tx.noteWake(endpointId);
  return replay;
}

/** Has an endpoint that was just enabled sent what it missed. In the transaction that enables it. */
export async function replayMissed(
  deps: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  endpoint: WebhookEndpointRow,
  before: Pick<WebhookEndpointRow, 'disabledAt' | 'disabledAfter'>,
): Promise<void> {
  await insertReplay(tx, scope, {
    ...{ id: newId(ID_PREFIXES.webhookReplay), endpointId: endpoint.id, reason: 'MISSED' },
    // Where the version before disabled it, only the time is known.
    fromAt: before.disabledAfter === null ? before.disabledAt : null,
    ...{ toAt: null, types: typesOf(endpoint), onlyFailed: false },
    ...{ afterSeq: before.disabledAfter ?? 0n, at: deps.clock.now() },
  });
}

/** Queues the next events of an endpoint's replay; false where it has none that is not over. */
export function queueReplay(
  deps: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  endpointId: string,
): Promise<boolean> {
  return deps.db.write(scope, async (tx) => {
    const replay = await lockRunningReplay(tx, scope, endpointId);
    if (replay === null) return false;
    await queueReplayPage(tx, scope, replay, { limit: PAGE, at: deps.clock.now() });
    return true;
  });
}

/** The types that the endpoint is subscribed to, of those named; null: all there are. */
function typesOf(endpoint: WebhookEndpointRow, named: readonly string[] = ['*']): string[] | null {
  if (endpoint.types.includes('*') && named.includes('*')) return null;
  return EVENT_TYPES.filter((type) => {
    const patterns = subscriptionsFor(type);
    return (
      patterns.some((one) => endpoint.types.includes(one)) &&
      patterns.some((one) => named.includes(one))
    );
  });
}
