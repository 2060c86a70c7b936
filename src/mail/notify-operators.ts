import type { Database, SystemTransaction } from '../db/database.ts';
import {
  deleteOldNotices,
  noteNewRequests,
  noteStuckPayments,
  type RequestNoticeKind,
} from '../db/operator-notice-store.ts';
import { OPERATOR_RIGHTS, type OperatorRight } from '../domain/access/operator-rights.ts';
import type { Clock } from '../domain/clock.ts';
import { STATUS_DETAILS } from '../domain/payments/payment-states.ts';
import { isForOperators } from '../domain/payments/settlement-plan.ts';
import type { Vault } from '../vault/vault.ts';
import { tellOperators } from './tell-operators.ts';

export interface NotifyDeps {
  readonly db: Pick<Database, 'system'>;
  readonly vault: Pick<Vault, 'seal' | 'sealJson' | 'keyedHash' | 'open'>;
  readonly clock: Clock;
  /** Where browsers reach the console. */
  readonly opsUrl: string;
}

const REQUESTS: Readonly<
  Record<
    RequestNoticeKind,
    { readonly right: OperatorRight; readonly what: string; readonly path: string }
  >
> = {
  ADDRESS_PENDING: {
    ...({ right: 'decide-addresses', path: '/requests/addresses' } as const),
    what: 'An address that a live key may be used from',
  },
  LIVE_REQUEST: {
    ...({ right: 'decide-live-access', path: '/requests/live' } as const),
    what: 'Live access of a customer',
  },
};

const HELD_FOR = STATUS_DETAILS.filter(isForOperators);

/**
 * Writes the mails about what waits for operators and was not told: one for all that is new of a kind, to
 * those who may decide. Two runs at once tell of each once. The mails are sent as any that wait.
 */
export async function notifyOperators({ db, ...deps }: NotifyDeps): Promise<void> {
  const now = deps.clock.now();
  for (const kind of Object.keys(REQUESTS) as RequestNoticeKind[]) {
    const { right, what, path } = REQUESTS[kind];
    await db.system(async (tx) => {
      const { length: count } = await noteNewRequests(tx, kind, now);
      if (count === 0) return;
      const facts = { what, count, url: `${deps.opsUrl}${path}` };
      await tellOperators(deps, tx, toRight(right), { kind: 'OPS_DECISION_WAITING', facts });
    });
  }
  await db.system((tx) => tellOfStuck(deps, tx, now));
  await db.system((tx) => deleteOldNotices(tx, now));
}

async function tellOfStuck(
  deps: Omit<NotifyDeps, 'db'>,
  tx: SystemTransaction,
  now: Date,
): Promise<void> {
  const { length: count } = await noteStuckPayments(tx, { heldFor: HELD_FOR, now });
  if (count === 0) return;
  const facts = { count, url: `${deps.opsUrl}/payments` };
  await tellOperators(deps, tx, toRight('decide-payments'), { kind: 'OPS_PAYMENTS_STUCK', facts });
}

const toRight = (right: OperatorRight) => ({ roles: OPERATOR_RIGHTS[right].roles, but: null });
