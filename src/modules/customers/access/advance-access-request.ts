import {
  advanceRequest,
  findAccessRequest,
  type AccessRequestRow,
} from '../../../db/customers/access-request-store.ts';
import { fundEveryCurrency } from '../onboard-customer.ts';
import type { Database } from '../../../db/client/database.ts';
import {
  nextRequestStep,
  type AccessRequestStep,
  type NextRequestStep,
} from '../../../domain/customers/access/access-request.ts';
import type { Clock } from '../../../domain/clock.ts';
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { remindOfRequest, tellOfRequest } from './tell-of-request.ts';

export interface AdvanceRequestDeps {
  readonly db: Database;
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open' | 'openJson'>;
  readonly clock: Clock;
  /** Where browsers reach the console. */
  readonly opsUrl: string;
  /** Hands a mail on whose transaction has committed; where it is lost the reconciler finds the mail. */
  readonly dispatchMail: (mailId: string) => Promise<void>;
}

/** More than a request ever has. */
const STEPS_MAX = 8;
/** Whatever is in the way then, it is looked at again. In ms. */
const LOOK_AGAIN_MS = 60_000;

export type RequestOutcome = Exclude<NextRequestStep, { readonly kind: 'STEP' }>;

/**
 * Does everything that is due for a request and answers how long there is nothing to do. The row is the
 * truth: run twice, or at once, each step is done once, by the UPDATE that notes it.
 */
export async function advanceAccessRequest(
  deps: AdvanceRequestDeps,
  requestId: string,
): Promise<RequestOutcome> {
  for (let steps = 0; steps < STEPS_MAX; steps += 1) {
    const request = await deps.db.system((tx) => findAccessRequest(tx, requestId));
    if (request === null) return { kind: 'DONE' };
    const next = nextRequestStep(request, deps.clock.now());
    if (next.kind !== 'STEP') return next;
    await doStep(deps, request, next.step);
  }
  return { kind: 'WAIT', waitMs: LOOK_AGAIN_MS };
}

async function doStep(
  deps: AdvanceRequestDeps,
  request: AccessRequestRow,
  step: AccessRequestStep,
): Promise<void> {
  const { db, clock } = deps;
  if (step === 'FUND' && request.customerId !== null) {
    await fundEveryCurrency(deps, { customerId: request.customerId, environment: 'test' });
  }
  const mailIds = await db.system(async (tx) => {
    if (!(await advanceRequest(tx, request.id, step, clock.now()))) return [];
    if (step === 'TELL') return tellOfRequest(deps, tx, request);
    if (step === 'REMIND') return remindOfRequest(deps, tx, request);
    return [];
  });
  for (const mailId of mailIds) await deps.dispatchMail(mailId);
}
