import { isDeepStrictEqual } from 'node:util';
import type { ScopedTransaction } from '../../db/client/database.ts';
import { recordEvent } from '../../db/webhooks/event-store.ts';
import {
  updateEndpoint,
  type EndpointChange,
} from '../../db/webhooks/webhook-endpoint-change-store.ts';
import { lockEndpoint, type WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import { widenMissedReplay } from '../../db/webhooks/webhook-replay-change-store.ts';
import { wakeAfterCommit } from '../../db/webhooks/wake-after-commit.ts';
import type { Clock } from '../../domain/clock.ts';
import { requireFound } from '../../domain/errors/require-found.ts';
import type { RequireVersion } from '../../domain/require-version.ts';
import type { Scope } from '../../domain/scope.ts';
import type { EndpointHealth } from '../../domain/webhooks/endpoint-health.ts';
import type { EndpointRecovery } from '../../domain/webhooks/endpoint-recovery.ts';
import type { Vault } from '../../vault/vault.ts';
import { changedKeyPairs } from './endpoint-keys.ts';
import { healthOf } from './endpoint-health-of.ts';
import { replayMissed } from './replay-events.ts';
import { endpointChangedEvent } from './webhook-endpoint-view.ts';

/** What a partner changes of an endpoint; a description of null clears it. The URL has been judged. */
interface WebhookEndpointPatch {
  readonly url?: string;
  readonly types?: readonly string[];
  readonly description?: string | null;
  readonly status?: 'ENABLED' | 'DISABLED';
  readonly thin?: boolean;
  /** True makes a key pair where there is none; false ends it at once. */
  readonly asymmetric?: boolean;
}

/** Does a patch change what an endpoint is sent? The others keep no one from writing. */
export const mustBeAlone = ({ status, types }: WebhookEndpointPatch): boolean =>
  status !== undefined || types !== undefined;

interface WebhookEndpointUpdate {
  readonly id: string;
  readonly patch: WebhookEndpointPatch;
  readonly requireVersion: RequireVersion;
}

/**
 * Changes an endpoint; what changes nothing is no version. Within `Database.exclusive` where
 * `mustBeAlone`: a change of status or types and the events that are being recorded must not overlap. An
 * endpoint that is enabled or moved begins with a clean health; one that is enabled is sent what it has
 * missed. What is queued stays so, whatever the types are now, and what happens until it has caught up is
 * sent under the types that it had since. Refuses with not_found and precondition_failed.
 */
export async function updateWebhookEndpoint(
  deps: { readonly vault: Vault; readonly clock: Clock },
  tx: ScopedTransaction,
  scope: Scope,
  { id, patch, requireVersion }: WebhookEndpointUpdate,
): Promise<WebhookEndpointRow> {
  const before = requireFound(await lockEndpoint(tx, scope, id));
  requireVersion(before.version);
  const at = deps.clock.now();
  const keyPairs = changedKeyPairs(deps.vault, before, patch.asymmetric);
  const change = { ...changeOf(before, patch, at), ...keyPairs };
  if (isDeepStrictEqual(change, changeOf(before, {}, at))) return before;
  const row = await updateEndpoint(tx, scope, id, change, at);
  await recordEvent(tx, scope, endpointChangedEvent(row, before), at);
  if (before.isCatchingUp && !isDeepStrictEqual(row.types, before.types)) {
    const types = { before: before.types, after: row.types };
    await widenMissedReplay(tx, scope, { endpointId: id, ...types });
  }
  // One that was disabled while it was catching up goes on with that.
  if (row.isCatchingUp && !before.isCatchingUp) await replayMissed(deps, tx, scope, before);
  // What waited for it goes on now.
  if (row.status === 'ENABLED') wakeAfterCommit(tx, [id]);
  return row;
}

function changeOf(
  before: WebhookEndpointRow,
  { url, types, description, status = before.status, thin }: WebhookEndpointPatch,
  at: Date,
): EndpointChange {
  const hasTurned = status !== before.status;
  const isMoved = url !== undefined && url !== before.url;
  return {
    secret: before.secret,
    signingKeys: before.signingKeys,
    publicKeys: before.publicKeys,
    url: url ?? before.url,
    types: types === undefined ? before.types : [...new Set(types)],
    description: description === undefined ? before.description : description,
    isThin: thin ?? before.isThin,
    status,
    ...(hasTurned || isMoved ? healthyFrom(at) : healthOf(before)),
    ...(hasTurned ? disablingOf(status, at) : disablingBefore(before)),
  };
}

/** A clean health; what was put off by then is sent at once. */
const healthyFrom = (at: Date): EndpointHealth & EndpointRecovery => ({
  ...{ isSlow: false, failingSince: null, probeAt: null, recoveredAt: at, isRecovering: true },
});

const disablingBefore = ({ disabledAt, disabledReason }: WebhookEndpointRow) => ({
  disabledAt,
  disabledReason,
});

const disablingOf = (status: 'ENABLED' | 'DISABLED', at: Date) =>
  status === 'DISABLED'
    ? ({ disabledAt: at, disabledReason: 'REQUESTED' } as const)
    : { disabledAt: null, disabledReason: null };
