import { toPage, type Page, type PageRequest } from '../../domain/lists.ts';
import type { Scope } from '../../domain/scope.ts';
import type { WebhookPublicKey } from '../../domain/webhooks/public-key.ts';
import type { DisableReason, EndpointHealth } from '../../domain/webhooks/endpoint-health.ts';
import type { EndpointRecovery } from '../../domain/webhooks/endpoint-recovery.ts';
import type { ScopedTransaction } from '../client/database.ts';
import { endReplays } from './webhook-replay-change-store.ts';

/** REQUESTED: by the partner. The others are the engine's. */
type DisabledReason = 'REQUESTED' | DisableReason;

export interface WebhookEndpointRow extends EndpointHealth, EndpointRecovery {
  readonly id: string;
  readonly seq: bigint;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  /** Sealed; see `webhooks/endpoint-secret.ts`. */
  readonly secret: Buffer;
  /** Sealed private keys of Ed25519, see `webhooks/endpoint-keys.ts`; null without asymmetric signatures. */
  readonly signingKeys: Buffer | null;
  /** Their public halves, newest first, one that has ended included. */
  readonly publicKeys: readonly WebhookPublicKey[];
  readonly status: 'ENABLED' | 'DISABLED';
  /** When it was last disabled, and why; null where it is enabled. */
  readonly disabledAt: Date | null;
  readonly disabledReason: DisabledReason | null;
  /** The seq of the scope's last event before that; null also where it was not written down. */
  readonly disabledAfter: bigint | null;
  /** Whether what it missed while it was disabled is still being queued. */
  readonly isCatchingUp: boolean;
  readonly isThin: boolean;
  readonly version: number;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

/** An endpoint at the version that was sent to: what came of that says nothing about a later one. */
export type EndpointVersion = Pick<WebhookEndpointRow, 'id' | 'version'>;

/** What a `WebhookEndpointRow` is read from. */
export const ENDPOINT_COLUMNS = `id, seq, url, types, description, secret, signing_keys AS "signingKeys",
  public_keys AS "publicKeys", status, is_slow AS "isSlow", failing_since AS "failingSince",
  probe_at AS "probeAt", recovered_at AS "recoveredAt", is_recovering AS "isRecovering",
  disabled_at AS "disabledAt", disabled_reason AS "disabledReason", disabled_after AS "disabledAfter",
  is_catching_up AS "isCatchingUp", is_thin AS "isThin", version, created_at AS "createdAt",
  updated_at AS "updatedAt"`;

const OF_SCOPE = `customer_id = $1 AND environment = $2 AND status <> 'DELETED'`;

interface NewWebhookEndpoint {
  readonly id: string;
  readonly url: string;
  readonly types: readonly string[];
  readonly description: string | null;
  readonly secret: Buffer;
  readonly signingKeys: Buffer | null;
  readonly publicKeys: readonly WebhookPublicKey[];
  readonly isThin: boolean;
  readonly at: Date;
}

/**
 * Adds an endpoint unless the scope has `endpointsMax` of them: then null. Two requests at once are
 * let in one after the other, so that they cannot both take the last place.
 */
export async function insertEndpoint(
  tx: ScopedTransaction,
  scope: Scope,
  endpoint: NewWebhookEndpoint,
  endpointsMax: number,
): Promise<WebhookEndpointRow | null> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('webhook-endpoints:' || $1 || ':' || $2, 0))`,
    [scope.customerId, scope.environment],
  );
  const rows = await tx.query<WebhookEndpointRow>(
    `INSERT INTO webhook_endpoints (customer_id, environment, id, url, types, description, secret,
       signing_keys, public_keys, is_thin, created_at, updated_at)
     SELECT :customerId, :environment, :id, :url, :types::text[], :description, :secret,
       :signingKeys, :publicKeys::jsonb, :isThin, :at, :at
     WHERE (SELECT count(*) FROM webhook_endpoints
            WHERE customer_id = :customerId AND environment = :environment
              AND status <> 'DELETED') < :endpointsMax
     RETURNING ${ENDPOINT_COLUMNS}`,
    {
      customerId: scope.customerId,
      environment: scope.environment,
      id: endpoint.id,
      url: endpoint.url,
      types: endpoint.types,
      description: endpoint.description,
      secret: endpoint.secret,
      signingKeys: endpoint.signingKeys,
      publicKeys: JSON.stringify(endpoint.publicKeys),
      isThin: endpoint.isThin,
      at: endpoint.at,
      endpointsMax,
    },
  );
  return rows[0] ?? null;
}

/** One endpoint, null where it is deleted, another scope's or none. */
export async function findEndpoint(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<WebhookEndpointRow | null> {
  const rows = await tx.query<WebhookEndpointRow>(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE ${OF_SCOPE} AND id = $3`,
    [scope.customerId, scope.environment, id],
  );
  return rows[0] ?? null;
}

export async function listEndpoints(
  tx: ScopedTransaction,
  scope: Scope,
  page: PageRequest,
): Promise<Page<WebhookEndpointRow>> {
  const rows = await tx.query<WebhookEndpointRow>(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints
     WHERE ${OF_SCOPE} AND ($3::bigint IS NULL OR seq < $3) ORDER BY seq DESC LIMIT $4`,
    [scope.customerId, scope.environment, page.before, page.limit + 1],
  );
  return toPage(rows, page.limit);
}

/**
 * Deletes an endpoint and ends its replays; what is pending for it is not sent. Answers the version that
 * it had, null where there was none.
 */
export async function deleteEndpoint(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
  at: Date,
): Promise<number | null> {
  const rows = await tx.query<{ version: number }>(
    `UPDATE webhook_endpoints SET status = 'DELETED', updated_at = $4
     WHERE ${OF_SCOPE} AND id = $3 RETURNING version`,
    [scope.customerId, scope.environment, id, at],
  );
  if (rows[0] === undefined) return null;
  await endReplays(tx, scope, id, at);
  return rows[0].version;
}

/**
 * One endpoint, null as `findEndpoint`. Until the transaction ends it is locked with all others of the
 * scope, in the order in which an event wakes them: its change emits one, and two changes at once would
 * wait for each other.
 */
export async function lockEndpoint(
  tx: ScopedTransaction,
  scope: Scope,
  id: string,
): Promise<WebhookEndpointRow | null> {
  const rows = await tx.query<WebhookEndpointRow>(
    `SELECT ${ENDPOINT_COLUMNS} FROM webhook_endpoints WHERE ${OF_SCOPE} ORDER BY id FOR NO KEY UPDATE`,
    [scope.customerId, scope.environment],
  );
  return rows.find((row) => row.id === id) ?? null;
}
