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
import type { KeyedHashes } from '../../../vault/keyed-hash.ts';
import type { Vault } from '../../../vault/vault.ts';
import { tellOperators } from './tell-operators.ts';

interface NotifyDeps {
  readonly db: Pick<Database, 'system'>;
  readonly vault: KeyedHashes & Pick<Vault, 'seal' | 'sealJson' | 'open'>;
  readonly clock: Clock;
  /** Where browsers reach the console. */
  readonly opsUrl: string;
}

/** Who receives the notice, the name of the subject, and the console page that shows it. */
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
    what: 'IP addresses for live keys',
  },
  LIVE_REQUEST: {
    ...asked,
    ...({ right: 'decide-live-access', path: '/requests/live' } as const),
    what: 'Live access',
  },
  PASSKEYS_LOST: {
    ...asked,
    ...{ right: APPROVAL_RIGHTS.REMOVE_PASSKEYS, path: '/approvals' },
    what: 'Lost passkeys',
  },
  DEPOSIT_HELD: { ...reviewed, what: 'Deposits held for a sender review' },
  DEPOSIT_BLOCKED: {
    ...reviewed,
    what: 'Deposits in suspense (the sender is on a sanctions list)',
  },
  WALLET_REVIEW: { ...reviewed, what: 'Wallets in review' },
  DEPOSIT_NOT_PAID_ON: { ...operated, what: 'Off-ramp deposits not paid out within 10 minutes' },
  CHAIN_STOP: {
    ...operated,
    what: 'Stopped networks (a final block disappeared)',
  },
  CHAIN_NOT_READ: {
    ...operated,
    what: 'Networks without a new block for 1 hour (deposits are not credited)',
  },
};

const HELD_FOR = STATUS_DETAILS.filter(isForOperators);

/**
 * Writes one mail for each kind of item that waits for operators and has no notice yet. It goes to the
 * operators who may decide. Two runs at once send each notice once. The mail dispatcher sends the mails.
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
