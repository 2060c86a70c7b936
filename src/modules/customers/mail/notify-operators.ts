import type { Database, SystemTransaction } from '../../../db/client/database.ts';
import {
  deleteOldNotices,
  noteStuckPayments,
  noteWaiting,
  type WaitingNoticeKind,
} from '../../../db/customers/operator-notice-store.ts';
import {
  OPERATOR_RIGHTS,
  type OperatorRight,
} from '../../../domain/customers/access/operator-rights.ts';
import { APPROVAL_RIGHTS } from '../../../domain/approvals/approval-rights.ts';
import type { Clock } from '../../../domain/clock.ts';
import { STATUS_DETAILS } from '../../../domain/payments/payment-states.ts';
import { isForOperators } from '../../../domain/payments/next-bank-step.ts';
import type { Vault } from '../../../vault/vault.ts';
import { tellOperators } from './tell-operators.ts';

interface NotifyDeps {
  readonly db: Pick<Database, 'system'>;
  readonly vault: Pick<Vault, 'seal' | 'sealJson' | 'keyedHash' | 'open'>;
  readonly clock: Clock;
  /** Where browsers reach the console. */
  readonly opsUrl: string;
}

/** Who is mailed of what waits, how it is named, and where it is seen. */
interface Notice {
  readonly right: OperatorRight;
  readonly what: string;
  readonly path: string;
  readonly mail: 'OPS_DECISION_WAITING' | 'OPS_MONEY_WAITING';
}

const asked = { mail: 'OPS_DECISION_WAITING' } as const;
const reviewed = {
  ...({ right: 'decide-reviews', path: '/reviews', mail: 'OPS_MONEY_WAITING' } as const),
};
const operated = { right: 'decide-payments', path: '/', mail: 'OPS_MONEY_WAITING' } as const;

const NOTICES: Readonly<Record<WaitingNoticeKind, Notice>> = {
  ADDRESS_PENDING: {
    ...asked,
    ...({ right: 'decide-addresses', path: '/requests/addresses' } as const),
    what: 'An address that a live key may be used from',
  },
  LIVE_REQUEST: {
    ...asked,
    ...({ right: 'decide-live-access', path: '/requests/live' } as const),
    what: 'Live access of a customer',
  },
  PASSKEYS_LOST: {
    ...asked,
    ...{ right: APPROVAL_RIGHTS.REMOVE_PASSKEYS, path: '/approvals' },
    what: 'Passkeys that a user has lost',
  },
  DEPOSIT_HELD: { ...reviewed, what: 'Deposits whose sender is to be looked at' },
  DEPOSIT_BLOCKED: { ...reviewed, what: 'Deposits in suspense, from a sender on a list' },
  WALLET_REVIEW: { ...reviewed, what: 'Wallets under review' },
  DEPOSIT_NOT_PAID_ON: { ...operated, what: 'Deposits that were not paid on within ten minutes' },
  CHAIN_STOP: {
    ...operated,
    what: 'Networks that are stopped, for a final block of theirs is gone',
  },
  CHAIN_NOT_READ: {
    ...operated,
    what: 'Networks of which no block was read for an hour: no deposit is credited there',
  },
};

const HELD_FOR = STATUS_DETAILS.filter(isForOperators);

/**
 * Writes the mails about what waits for operators and was not told: one for all that is new of a kind, to
 * those who may decide. Two runs at once tell of each once. The mails are sent as any that wait.
 */
export async function notifyOperators({ db, ...deps }: NotifyDeps): Promise<void> {
  const now = deps.clock.now();
  for (const kind of Object.keys(NOTICES) as WaitingNoticeKind[]) {
    const { right, what, path, mail } = NOTICES[kind];
    await db.system(async (tx) => {
      const { length: count } = await noteWaiting(tx, kind, now);
      if (count === 0) return;
      const facts = { what, count, url: `${deps.opsUrl}${path}` };
      await tellOperators(deps, tx, toRight(right), { kind: mail, facts });
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
