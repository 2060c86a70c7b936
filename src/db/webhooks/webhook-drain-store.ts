import type { Scope } from '../../domain/scope.ts';
import type { EndpointHealth } from '../../domain/webhooks/endpoint-health.ts';
import type { EndpointRecovery } from '../../domain/webhooks/endpoint-recovery.ts';
import type { DueTurn } from '../../domain/webhooks/version-order.ts';
import type { Database } from '../client/database.ts';
import { attemptValues, ATTEMPT_PARAMETERS, type AttemptRecord } from './webhook-delivery-store.ts';
import { ENDPOINT_COLUMNS, type WebhookEndpointRow } from './webhook-endpoint-store.ts';

/** A delivery whose time has come, with the bytes to send. */
export interface DueDelivery {
  readonly eventId: string;
  readonly resourceId: string;
  readonly resourceVersion: number;
  readonly attempts: number;
  readonly turn: DueTurn;
  /** Whether it goes out before its time: if it fails, it uses up no attempt of the schedule. */
  readonly isEarly: boolean;
  readonly body: string;
}

/** What is to be sent to an endpoint now, and the endpoint as it is: null where it is deleted. */
export interface Look {
  readonly at: Date;
  readonly endpoint: WebhookEndpointRow | null;
  readonly due: readonly DueDelivery[];
  /** Whether older events wait to be queued for it. */
  readonly hasReplay: boolean;
  /** When its next delivery is due; null where none waits. */
  readonly nextDueAt: Date | null;
}

/** An endpoint of a scope, at a moment. */
interface DrainStep {
  readonly endpointId: string;
  readonly at: Date;
}

/** First attempts, and as many of each other kind beside them: none can starve the others. */
export const BATCH_MAX = 250;
/**
 * So many of each does a look find: a batch, and the next, which is sent while the first is recorded. Where one is under
 * way already, the next is enough.
 */
const LOOK_MAX = 2 * BATCH_MAX;

/** The beginning of a drain: no event that is recorded until its end sends a wake. */
export function beginDrain(db: Database, scope: Scope, step: DrainStep): Promise<Look> {
  return look(db, scope, `begin_webhook_drain(${STEP})`, stepValues(step));
}

/** A look in between. The endpoint is read every time: it may be deleted, disabled or changed. */
export function lookInDrain(db: Database, scope: Scope, step: DrainStep): Promise<Look> {
  return look(db, scope, `look_in_webhook_drain(${STEP})`, stepValues(step));
}

/**
 * The end of a drain: where it finds nothing to send, the next event sends a wake. It waits for what is
 * being written in the scope, for half a second: then it rejects with PostgreSQL's 55P03.
 */
export function endDrain(db: Database, scope: Scope, step: DrainStep): Promise<Look> {
  return look(db, scope, `end_webhook_drain(${STEP})`, stepValues(step));
}

export interface DrainRecord extends DrainStep {
  /** Of the endpoint that was sent to. */
  readonly version: number;
  readonly records: readonly AttemptRecord[];
  /** What the endpoint's row is to say. */
  readonly health: EndpointHealth & EndpointRecovery;
  /** Whether it says something else now. */
  readonly hasMoved: boolean;
  /** Whether some of what was sent to this version failed: it is sent at once to a newer one. */
  readonly hasFailed: boolean;
  /** Events of first attempts that are sent meanwhile: the look leaves them out. */
  readonly underWay: readonly string[];
}

/**
 * Writes what came of a batch and the endpoint's health, and looks for the next, in one statement. It does
 * not wait for a writer that holds the endpoint's row: then `isHealthHeld`, and all but the health is written.
 */
export function recordInDrain(
  db: Database,
  scope: Scope,
  record: DrainRecord,
): Promise<Look & { readonly isHealthHeld: boolean }> {
  const { version, hasMoved, hasFailed, health, underWay } = record;
  const { isSlow, failingSince, probeAt, recoveredAt, isRecovering } = health;
  const call = `record_batch_in_webhook_drain(:customerId, :environment, :endpointId, :version, ${ATTEMPT_PARAMETERS},
    :hasMoved, :hasFailed, :isSlow, :failingSince, :probeAt, :recoveredAt, :isRecovering, :at, :most,
    :underWay)`;
  const values = {
    ...{ ...stepValues(record), ...attemptValues(record.records), version, hasMoved, hasFailed },
    ...{ isSlow, failingSince, probeAt, recoveredAt, isRecovering, underWay },
    most: underWay.length > 0 ? BATCH_MAX : LOOK_MAX,
  };
  return look(db, scope, call, values, 'health_is_held');
}

const STEP = ':customerId, :environment, :endpointId, :at, :most';

const stepValues = ({ endpointId, at }: DrainStep) => ({ endpointId, at, most: LOOK_MAX });

const NOTHING = { endpoint: null, due: [], hasReplay: false, nextDueAt: null, isHealthHeld: false };

interface LookRow extends WebhookEndpointRow, Pick<Look, 'hasReplay' | 'nextDueAt'>, DueDelivery {
  readonly isHealthHeld: boolean;
}

/** Calls one of the functions of a drain, each a transaction by itself. */
async function look(
  db: Database,
  scope: Scope,
  call: string,
  values: Readonly<Record<string, unknown>> & { readonly at: Date },
  healthIsHeld = 'false',
): Promise<Look & { readonly isHealthHeld: boolean }> {
  const { at } = values;
  const rows = await db.alone<LookRow>(
    scope,
    `SELECT ${ENDPOINT_COLUMNS}, has_replay AS "hasReplay", next_due_at AS "nextDueAt",
       due_event_id AS "eventId", due_resource_id AS "resourceId",
       due_resource_version AS "resourceVersion", due_attempts AS attempts, due_turn AS turn,
       due_is_early AS "isEarly", due_body AS body, ${healthIsHeld} AS "isHealthHeld"
     FROM ${call} AS found CROSS JOIN LATERAL (SELECT (found.endpoint).*) AS endpoint`,
    values,
  );
  // The endpoint's own row comes last, behind those of its deliveries.
  const endpoint = rows.pop();
  if (endpoint === undefined) return { ...NOTHING, at };
  const { hasReplay, nextDueAt, isHealthHeld } = endpoint;
  return { at, endpoint, due: rows, hasReplay, nextDueAt, isHealthHeld };
}
