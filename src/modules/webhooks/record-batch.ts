import type { Database } from '../../db/client/database.ts';
import { recordHealth } from '../../db/webhooks/endpoint-health-store.ts';
import { recordEvent } from '../../db/webhooks/event-store.ts';
import { isLockTimeout } from '../../db/client/outage.ts';
import { recordAttempts, type AttemptRecord } from '../../db/webhooks/webhook-delivery-store.ts';
import type { DueDelivery, Look } from '../../db/webhooks/webhook-drain-store.ts';
import { disableEndpoint } from '../../db/webhooks/webhook-endpoint-change-store.ts';
import type { WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Environment, Scope } from '../../domain/scope.ts';
import { isSuccess, judgeAttempt, type AttemptVerdict } from '../../domain/webhooks/attempt.ts';
import {
  judgeHealth,
  type DisableReason,
  type EndpointHealth,
} from '../../domain/webhooks/endpoint-health.ts';
import { judgeRecovery } from '../../domain/webhooks/endpoint-recovery.ts';
import { mailOwners } from '../customers/mail/mail-owners.ts';
import type { Vault } from '../../vault/vault.ts';
import { sealAnswer } from './attempt-answer.ts';
import type { DrainSteps } from './drain-steps.ts';
import type { SentDelivery } from './send-batch.ts';
import { endpointChangedEvent } from './webhook-endpoint-view.ts';

export interface RecordDeps {
  readonly db: Database;
  readonly vault: Vault;
  readonly clock: Clock;
  /** 0 to 1. */
  readonly random: () => number;
  /** Of the drain that the batch belongs to. */
  readonly steps: DrainSteps;
  /** Where the endpoint's page is: the mail to its owners leads there. */
  readonly dashboardUrl: string;
  /** Hears of a batch once what came of it is written. */
  readonly onRecorded?: (environment: Environment, batch: FinishedBatch) => void;
}

/** What was to be sent, and what was sent of it, in the order in which it finished. */
export interface FinishedBatch {
  readonly endpoint: WebhookEndpointRow;
  /** Of the look that found it. */
  readonly at: Date;
  readonly batch: readonly DueDelivery[];
  readonly sent: readonly SentDelivery[];
}

/**
 * Writes what came of a batch, and the endpoint's health, and looks for the next behind what is sent meanwhile, in one
 * transaction; disables the endpoint where it has asked for it (410) or failed for four days, and tells the customer's
 * owners by a mail, which the reconciler finds. Its pending deliveries
 * stay as they are: they are listed, and go out should it be enabled again. Health and disabling are
 * those of the version that was sent to, and no writer that holds the endpoint's row holds the record up:
 * see `createDrainSteps`. Where the writers of the scope leave no moment for disabling it,
 * the attempts are recorded all the same, and the next attempt asks for it again.
 */
export async function recordBatch(
  deps: RecordDeps,
  scope: Scope,
  finished: FinishedBatch,
  meanwhile: readonly DueDelivery[],
): Promise<Look> {
  const next = await writeBatch(deps, scope, finished, meanwhile);
  deps.onRecorded?.(scope.environment, finished);
  return next;
}

async function writeBatch(
  deps: RecordDeps,
  scope: Scope,
  { endpoint, at, batch, sent }: FinishedBatch,
  meanwhile: readonly DueDelivery[],
): Promise<Look> {
  const records = sent.map((one) => recordOf(deps, endpoint.id, one));
  const { health, disable } = judgeHealth(endpoint, sent);
  const putOffCount = batch.filter(({ turn }) => turn === 'PUT_OFF').length;
  const recovery = judgeRecovery(endpoint, sent, { at, putOffCount });
  if (
    disable !== null &&
    (await disableWith(deps, scope, endpoint, { disable, records, health }))
  ) {
    return deps.steps.look();
  }
  const underWay = meanwhile.map(({ eventId }) => eventId);
  return deps.steps.record({ endpoint, records, health: { ...health, ...recovery }, underWay });
}

interface LastBatch {
  readonly disable: DisableReason;
  readonly records: readonly AttemptRecord[];
  readonly health: EndpointHealth;
}

/** False, and nothing written, where the endpoint has another version or the scope's writers took too long. */
async function disableWith(
  deps: RecordDeps,
  scope: Scope,
  endpoint: WebhookEndpointRow,
  { disable, records, health }: LastBatch,
): Promise<boolean> {
  const { db, clock, dashboardUrl } = deps;
  const at = clock.now();
  // Disabling wakes other endpoints while it holds this one's row: run alone, it cannot deadlock.
  const disabling = db.exclusive(scope, async (tx) => {
    const disabled = await disableEndpoint(tx, scope, endpoint, { reason: disable, at });
    if (disabled === null) return false;
    await recordAttempts(tx, endpoint.id, records);
    await recordHealth(tx, scope, disabled, health);
    await recordEvent(tx, scope, endpointChangedEvent(disabled, endpoint), at);
    const { environment } = scope;
    const url = `${dashboardUrl}/${environment}/webhooks/${endpoint.id}`;
    const facts = { endpointId: endpoint.id, environment, reason: disable, url };
    await mailOwners(deps, tx, scope.customerId, { kind: 'ENDPOINT_DISABLED', facts });
    return true;
  });
  return disabling.catch((error: unknown) => {
    if (isLockTimeout(error)) return false;
    throw error;
  });
}

/** An attempt before its time that failed leaves the schedule as it was; a mere probe is not listed either. */
function recordOf(
  deps: RecordDeps,
  endpointId: string,
  { delivery, result, finishedAt }: SentDelivery,
): AttemptRecord {
  const verdict = judgeAttempt(delivery.attempts, result, finishedAt, deps.random());
  const { eventId } = delivery;
  const isExtra = delivery.isEarly && !isSuccess(result);
  const counted: AttemptVerdict = isExtra
    ? { ...verdict, status: 'PENDING', attempts: delivery.attempts, nextAttemptAt: null }
    : verdict;
  // Written out: a spread that is added to costs some microseconds, more than all else here.
  return {
    eventId,
    status: counted.status,
    attempts: counted.attempts,
    number: verdict.attempts,
    nextAttemptAt: counted.nextAttemptAt,
    statusCode: counted.statusCode,
    error: counted.error,
    isListed: !isExtra || delivery.turn !== 'PROBE',
    at: finishedAt,
    durationMs: result.durationMs,
    answer: sealAnswer(deps.vault, { endpointId, eventId }, result),
  };
}
