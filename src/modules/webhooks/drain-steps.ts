import { isDeepStrictEqual } from 'node:util';
import { setTimeout as pause } from 'node:timers/promises';
import type { Database } from '../../db/client/database.ts';
import { isLockTimeout } from '../../db/client/outage.ts';
import type { AttemptRecord } from '../../db/webhooks/webhook-delivery-store.ts';
import {
  beginDrain,
  endDrain,
  lookInDrain,
  recordInDrain,
  type DrainRecord,
  type Look,
} from '../../db/webhooks/webhook-drain-store.ts';
import type { WebhookEndpointRow } from '../../db/webhooks/webhook-endpoint-store.ts';
import type { Clock } from '../../domain/clock.ts';
import type { Scope } from '../../domain/scope.ts';
import { healthOf, type KeptHealth } from './endpoint-health-of.ts';

/** So long a drain that is over waits for a writer that holds the endpoint's row. */
const HELD_MS_MAX = 10_000;
const TRY_EVERY_MS = 200;

const NO_BATCH = { records: [], underWay: [], hasMoved: true };

/** What a batch told, of an endpoint as a look of these steps has answered it. */
interface BatchRecord {
  readonly endpoint: WebhookEndpointRow;
  readonly records: readonly AttemptRecord[];
  readonly health: KeptHealth;
  /** Events that are sent meanwhile. */
  readonly underWay: readonly string[];
}

/** The health of an endpoint that its row does not say yet. */
interface HeldHealth {
  /** Of the endpoint that was sent to. */
  readonly version: number;
  readonly health: KeptHealth;
  /** Whether some of what was sent to it failed. */
  readonly hasFailed: boolean;
}

export type DrainSteps = ReturnType<typeof createDrainSteps>;

/**
 * The steps of one drain. A record does not wait for a writer that holds the endpoint's row: the attempts
 * are recorded, and the health is held back here. Until it is in the row, each step tries again to write it,
 * and endpoints are answered as they will be.
 */
export function createDrainSteps(
  { db, clock }: { readonly db: Database; readonly clock: Clock },
  scope: Scope,
  endpointId: string,
) {
  const memory: { held: HeldHealth | null } = { held: null };
  const step = () => ({ endpointId, at: clock.now() });

  async function write(
    next: HeldHealth,
    batch: Pick<DrainRecord, 'records' | 'underWay' | 'hasMoved'>,
  ) {
    const { isHealthHeld, ...look } = await recordInDrain(db, scope, {
      ...{ ...step(), ...next, ...batch },
    });
    memory.held = isHealthHeld ? next : null;
    return withHeldHealth(look);
  }

  function withHeldHealth(look: Look): Look {
    const { held } = memory;
    if (held === null || look.endpoint === null) return look;
    if (look.endpoint.version !== held.version)
      memory.held = ofNewVersion(held, look.endpoint, look.at);
    return { ...look, endpoint: { ...look.endpoint, ...memory.held?.health } };
  }

  const look = async (): Promise<Look> =>
    memory.held === null ? lookInDrain(db, scope, step()) : write(memory.held, NO_BATCH);

  return {
    begin: () => beginDrain(db, scope, step()),
    look,
    /** Writes what came of a batch, and looks for the next. */
    record({ endpoint, records, health: judged, underWay }: BatchRecord): Promise<Look> {
      const { held } = memory;
      const hasFailed =
        records.some(({ status }) => status !== 'DELIVERED') || held?.hasFailed === true;
      // Of a recovery that is held back no look has found anything yet: it cannot be over.
      const isRecovering = judged.isRecovering || held?.health.isRecovering === true;
      const health = { ...judged, isRecovering };
      const hasMoved = held !== null || !isDeepStrictEqual(health, healthOf(endpoint));
      const next = { version: endpoint.version, health, hasFailed };
      return write(next, { records, underWay, hasMoved });
    },
    /** The last look; null where writers in the scope take longer than they may be waited for. */
    async end(): Promise<Look | null> {
      if (memory.held !== null) await look();
      if (memory.held !== null) return null;
      return endDrain(db, scope, step()).catch((error: unknown) => {
        if (isLockTimeout(error)) return null;
        throw error;
      });
    },
    /** Writes what is held back. After 10 s it is left to the next attempt, which tells much the same. */
    async finish(): Promise<void> {
      const startedMs = performance.now();
      while (memory.held !== null && performance.now() - startedMs < HELD_MS_MAX) {
        await pause(TRY_EVERY_MS);
        await look();
      }
    },
  };
}

/** What failed at an older version is sent at once to the newer one; nothing else of it holds. */
function ofNewVersion(
  { hasFailed }: HeldHealth,
  endpoint: WebhookEndpointRow,
  at: Date,
): HeldHealth | null {
  if (!hasFailed) return null;
  const before = healthOf(endpoint);
  const recoveredAt =
    before.recoveredAt !== null && before.recoveredAt > at ? before.recoveredAt : at;
  const health = { ...before, recoveredAt, isRecovering: true };
  return { version: endpoint.version, health, hasFailed };
}
