import type { ScopedTransaction } from '../../db/client/database.ts';
import { newId } from '../../db/client/new-id.ts';
import { lockEndpoint, type WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import {
  countRunningReplays,
  insertReplay,
  type WebhookReplayRow,
} from '../../db/webhooks/webhook-replay-store.ts';
import { wakeAfterCommit } from '../../db/webhooks/wake-after-commit.ts';
import type { Clock } from '../../domain/clock.ts';
import { Refusal, refuseField } from '../../domain/errors/refusal.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import { ID_PREFIXES } from '../../domain/ids.ts';
import type { Scope } from '../../domain/scope.ts';
import { subscribedTypes } from '../../domain/webhooks/subscribed-types.ts';

/** Replays of one endpoint that are not over. */
const RUNNING_MAX = 10;
/** Clocks of two processes are this close, with much to spare. */
const CLOCKS_APART_MS = 600_000;

interface ReplayOrder {
  readonly endpointId: string;
  readonly from: Date;
  readonly to: Date;
  /** Types or families; all that the endpoint is subscribed to unless given. */
  readonly types?: readonly string[];
  readonly onlyFailed: boolean;
}

/**
 * Has the events of a span of time sent to an endpoint again, under their ids; its drain does so from the
 * oldest on. Events that happen later are sent anyway, so a span may end in the future. Refuses with
 * not_found and webhook_endpoint_disabled; an empty span, types that the endpoint is not subscribed to
 * with validation_failed; an eleventh replay at a time with limit_reached.
 */
export async function replayEvents(
  deps: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { endpointId, from, to, types, onlyFailed }: ReplayOrder,
): Promise<WebhookReplayRow> {
  const endpoint = requireFound(await lockEndpoint(tx, scope, endpointId));
  if (endpoint.status !== 'ENABLED') {
    throw new Refusal(
      'webhook_endpoint_disabled',
      'The webhook endpoint is disabled. Enable it first.',
    );
  }
  if (from.getTime() >= to.getTime()) {
    throw refuseField(
      'validation_failed',
      '/to',
      'The end of the time span must be after its start.',
    );
  }
  const meant = subscribedTypes(endpoint.types, types);
  if (meant?.length === 0) {
    const message = 'The endpoint does not subscribe to any of these types.';
    throw refuseField('validation_failed', '/types', message);
  }
  if ((await countRunningReplays(tx, scope, endpointId)) >= RUNNING_MAX) {
    const message = `The endpoint already has ${String(RUNNING_MAX)} running replays. Wait until one ends.`;
    throw new Refusal('limit_reached', message);
  }
  const replay = await insertReplay(tx, scope, {
    ...{ id: newId(ID_PREFIXES.webhookReplay), endpointId, reason: 'REQUESTED' },
    ...{ fromAt: from, toAt: to, types: meant, onlyFailed, afterSeq: 0n },
    at: deps.clock.now(),
  });
  wakeAfterCommit(tx, [endpointId]);
  return replay;
}

/**
 * Has an endpoint that was just enabled sent what it missed. In the transaction that enables it, alone in
 * the scope. Until all of that is queued no event makes a delivery for it: what happens meanwhile is read
 * from the log too, so that first deliveries keep the order of the log.
 */
export async function replayMissed(
  deps: { readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  before: WebhookEndpointRow,
): Promise<void> {
  // Without a place in the log only the time is known, by another process's clock.
  const disabledAt = before.disabledAt ?? before.updatedAt;
  const fromAt = new Date(disabledAt.getTime() - CLOCKS_APART_MS);
  await insertReplay(tx, scope, {
    ...{ id: newId(ID_PREFIXES.webhookReplay), endpointId: before.id, reason: 'MISSED' },
    fromAt: before.disabledAfter === null ? fromAt : null,
    ...{ toAt: null, types: null, onlyFailed: false },
    ...{ afterSeq: before.disabledAfter ?? 0n, at: deps.clock.now() },
  });
}
