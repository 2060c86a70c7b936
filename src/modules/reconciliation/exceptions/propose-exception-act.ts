import {
  readReturnedOf,
  readUnseenReturn,
  type ExceptionRow,
} from '../../../db/reconciliation/exception-act-store.ts';
import {
  findDecidedAlike,
  findMovedBooking,
  findShownDebit,
  listLikelyDebits,
  listLikelyTwins,
} from '../../../db/reconciliation/booking-twin-store.ts';
import { lockPayments, type PaymentRow } from '../../../db/payments/payment-store.ts';
import type { Database } from '../../../db/client/database.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import { isSettledOrFinal } from '../../../domain/payments/payment-states.ts';
import { PLATFORM_ACCOUNT } from '../../../domain/platform-account.ts';
import {
  actsFor,
  type DifferenceAccount,
  type ExceptionAct,
} from '../../../domain/reconciliation/exceptions/exception-act.ts';
import {
  creditableOf,
  type ReturnedOf,
} from '../../../domain/reconciliation/exceptions/creditable.ts';
import type { Scope } from '../../../domain/scope.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import {
  proposeApproval,
  type ApprovalDeps,
  type OperatorAct,
} from '../../approvals/propose-approval.ts';
import {
  isBookedElsewhere,
  isCreditInSuspense,
  openMoneyOf,
  type OpenMoney,
} from './judge-exception.ts';
import { sayAlike } from './say-alike.ts';

export interface ExceptionDeps extends ApprovalDeps {
  readonly db: Database;
}

/** A payment that an act is about, and whose it is. */
export interface NamedPayment {
  readonly id: string;
  readonly customerId: string;
}

export interface WantedAct {
  readonly act: ExceptionAct;
  /** Where what is neither credited nor recovered goes; null where nothing is left. */
  readonly account: DifferenceAccount | null;
  /** So much is credited or recovered, minor units of the line's currency; null: as much as can be. */
  readonly part: bigint | null;
  /** Whose return it is, or who is charged, where the line names no payment. */
  readonly payment: NamedPayment | null;
  readonly customerId: string | null;
  /** The operators say that the line and the credit or return that it may be the same booking as both came. */
  readonly bothCame?: boolean;
}

/** An exception whose payment was not changed since has this version; without a payment there is one version. */
const ONLY_VERSION = 1;
/** Credits that came in do not count. */
const NO_CREDIT = '';

/**
 * Proposes what ends an exception; null where a proposal about it waits. All that the act does is in the content, which two
 * operators approve. Throws ApprovalRefused where the act does not fit the exception, or would give a customer more than was
 * sent or take more than left.
 */
export async function proposeExceptionAct(
  deps: ExceptionDeps,
  row: ExceptionRow,
  wanted: WantedAct,
  by: OperatorAct,
): Promise<string | null> {
  const own = ownPayment(row);
  const named = own ?? wanted.payment;
  const customerId = named?.customerId ?? wanted.customerId ?? PLATFORM_ACCOUNT;
  const scope: Scope = { customerId, environment: row.environment };
  await refuseAlike(deps, row, wanted);
  const told = await readTold(deps, row, wanted, named);
  const { content, payment } = await deps.db.write(scope, async (tx) => {
    const [payment = null] = named === null ? [] : await lockPayments(tx, scope, [named.id]);
    if (named !== null && payment === null) {
      throw new ApprovalRefused(`There is no payment ${named.id} in ${row.environment}.`);
    }
    const paid = payment && (await readReturnedOf(tx, scope, payment));
    return { content: contentOfAct(row, wanted, { payment, paid, told }), payment };
  });
  const twins = await twinsOf(deps, row, wanted, own === null ? null : payment);
  const subjectVersion = payment?.version ?? ONLY_VERSION;
  const about = { subjectId: row.id, subjectVersion, content: { ...content, ...twins } };
  return proposeApproval(deps, scope, { action: 'EXCEPTION_ACT', ...about }, by);
}

/**
 * What the bank told of the named payment's return, which nothing has shown yet: then a credit in suspense shows that. Null
 * where there is none.
 */
async function readTold(
  { db }: ExceptionDeps,
  row: ExceptionRow,
  { act }: WantedAct,
  named: NamedPayment | null,
): Promise<bigint | null> {
  if (act !== 'CREDIT_RETURN' || named === null || !isCreditInSuspense(row)) return null;
  return db.system((tx) => readUnseenReturn(tx, named.id));
}

/** Throws ApprovalRefused where a credit may be one that left suspense, and the operators do not say that both came. */
async function refuseAlike(
  { db }: ExceptionDeps,
  row: ExceptionRow,
  { bothCame = false }: WantedAct,
): Promise<void> {
  const { creditId } = row;
  if (!isCreditInSuspense(row) || creditId === null) {
    if (!bothCame || isBookedElsewhere(row)) return;
    throw new ApprovalRefused('The line shows no credit that may be the booking of another one.');
  }
  if (bothCame) return;
  const alike = await db.system((tx) => findDecidedAlike(tx, creditId));
  if (alike === null) return;
  throw new ApprovalRefused(sayAlike(alike));
}

/** Lines that may show the same booking, for the two who decide. Throws ApprovalRefused where one has moved its money. */
export async function twinsOf(
  { db }: ExceptionDeps,
  { id, line, creditId }: ExceptionRow,
  { act, bothCame = false }: Pick<WantedAct, 'act' | 'bothCame'>,
  payment: PaymentRow | null,
): Promise<{ readonly twins?: readonly string[] }> {
  if (act === 'ACKNOWLEDGE' || (line === null && payment === null)) return {};
  return db.system(async (tx) => {
    const moved = await (line === null
      ? findShownDebit(tx, id)
      : findMovedBooking(tx, id, bothCame ? (creditId ?? NO_CREDIT) : creditId));
    if (moved !== null) throw new ApprovalRefused(moved);
    const twins = await (line === null && payment !== null
      ? listLikelyDebits(tx, id, formatAmount(payment.amount, payment.unit))
      : listLikelyTwins(tx, id));
    return twins.length === 0 ? {} : { twins };
  });
}

/**
 * All that an act does, as two operators approve it. `payment`: the line's, else the one that is named; `paid`: what of it
 * came back and was recovered; `told`: what of its return the bank told and nothing has shown, for a credit in suspense.
 * Throws ApprovalRefused where the act does not fit.
 */
export function contentOfAct(
  row: ExceptionRow,
  wanted: WantedAct,
  { payment, paid, told = null }: Omit<Judged, 'open'>,
): ActContent {
  refuseIfEnded(row);
  const own = ownPayment(row);
  refuseAnother(own, wanted);
  const customerId = (own ?? wanted.payment)?.customerId ?? wanted.customerId ?? PLATFORM_ACCOUNT;
  const open = openMoneyOf(row, own === null ? null : payment, wanted.bothCame);
  const booked = judge(row, wanted, { open, payment, paid, told });
  const stated: ActContent = wanted.bothCame === true ? { bothCame: 'yes' } : {};
  return { ...booked, ...stated, ...factsOf(row, { customerId }, payment) };
}

const ownPayment = ({ paymentId: id, customerId }: ExceptionRow): NamedPayment | null =>
  id === null || customerId === null ? null : { id, customerId };

export function refuseIfEnded({ id, endedBy }: ExceptionRow): void {
  if (endedBy !== null) throw new ApprovalRefused(`Act ${endedBy} has ended exception ${id}.`);
}

function refuseAnother(own: NamedPayment | null, { payment, customerId }: WantedAct): void {
  if (own === null) return;
  if (payment !== null && payment.id !== own.id) {
    throw new ApprovalRefused(`The line names payment ${own.id}, and not ${payment.id}.`);
  }
  if (customerId !== null && customerId !== own.customerId) {
    throw new ApprovalRefused(`The line names a payment of customer ${own.customerId}.`);
  }
}

interface Judged {
  readonly open: OpenMoney | null;
  readonly payment: PaymentRow | null;
  readonly paid: ReturnedOf | null;
  readonly told?: bigint | null;
}

export type ActContent = Readonly<Record<string, string | number>>;

function judge(row: ExceptionRow, wanted: WantedAct, judged: Judged): ActContent {
  const { open, payment } = judged;
  const { act, account } = wanted;
  const minor = open?.minor ?? 0n;
  const about = {
    ...{ isOfPayment: row.paymentId !== null, isCredit: isCreditInSuspense(row) },
    isInSuspense: row.suspense !== null,
  };
  const fitting = actsFor({ exception: row.exception, open: minor, ...about });
  if (!fitting.includes(act)) {
    throw new ApprovalRefused(`${act} does not fit. Acts that do: ${fitting.join(', ')}.`);
  }
  if (act === 'ACKNOWLEDGE' || open === null) return { act };
  if (payment !== null && !isSettledOrFinal(payment.status)) {
    throw new ApprovalRefused(
      `Payment ${payment.id} is ${payment.status}. Confirm first whether the bank paid it.`,
    );
  }
  if (open.unpaid !== null && act !== 'WRITE_OFF') {
    throw new ApprovalRefused('The bank debited another currency. Write the difference off.');
  }
  if ((judged.told ?? null) !== null) return showTold(open, wanted, judged);
  const isReturn = act === 'CREDIT_RETURN' && canReturn(payment);
  if (row.exception === 'MISSING_AT_BANK') refusePart(wanted, judged);
  const size = minor < 0n ? -minor : minor;
  const part = act === 'WRITE_OFF' ? 0n : partOf(size, wanted, judged);
  const rest = size - part;
  if (rest > 0n && account === null) {
    throw new ApprovalRefused(
      `Name the account of the platform for the other ${formatAmount(rest, open.currency)} ${open.currency}.`,
    );
  }
  return {
    ...{ act, currency: open.currency, open: minor.toString(), at: open.at, part: part.toString() },
    ...(rest > 0n && account !== null ? { account } : {}),
    ...(open.unpaid === null
      ? {}
      : {
          unpaid: open.unpaid.minor.toString(),
          unpaidCurrency: open.unpaid.currency,
          unpaidAt: open.at,
        }),
    // Money of a payment that may still come back is its return, so that no later report of the bank credits it again.
    ...(isReturn ? { as: 'RETURN' } : {}),
  };
}

/**
 * The customer has the return that the bank told: the credit leaves suspense for the account that the return came in by. Throws
 * ApprovalRefused where another amount came and no account takes the difference.
 */
function showTold(
  { currency, minor, at }: OpenMoney,
  { act, part, account }: WantedAct,
  { payment, told }: Judged,
): ActContent {
  if (payment === null || told === null || told === undefined) return { act };
  const { id, unit } = payment;
  if (unit !== currency) throw new ApprovalRefused(`Payment ${id} was paid in ${unit}.`);
  if (part !== null) {
    throw new ApprovalRefused(
      `The customer has the return of payment ${id}. Leave the amount out.`,
    );
  }
  if (minor !== told && account === null) {
    throw new ApprovalRefused(
      `The bank told that ${formatAmount(told, currency)} ${currency} of payment ${id} came back, and this is ${formatAmount(minor, currency)} ${currency}. If it is that return, name the account of the platform for the difference.`,
    );
  }
  return {
    ...{ act, currency, open: minor.toString(), at, part: '0', told: told.toString() },
    ...(minor !== told && account !== null ? { account } : {}),
    as: 'TOLD_RETURN',
  };
}

/** What the bank never paid goes back whole. Throws ApprovalRefused where some of it is back, or a part is wanted. */
function refusePart({ part }: WantedAct, { payment, paid }: Judged): void {
  if (payment === null || paid === null) return;
  if (
    creditableOf(payment, paid) !== payment.amount ||
    (part ?? payment.amount) !== payment.amount
  ) {
    throw new ApprovalRefused('The whole payment is given back, or nothing of it.');
  }
}

const canReturn = (payment: PaymentRow | null): boolean =>
  payment?.status === 'COMPLETED' && payment.finality !== 'FINAL';

/** What of the line goes to the customer, or is charged. Throws ApprovalRefused for more than can be. */
function partOf(size: bigint, { act, part, customerId }: WantedAct, judged: Judged): bigint {
  const { payment, paid } = judged;
  const isReturn = act === 'CREDIT_RETURN';
  if (isReturn && (payment === null || paid === null)) {
    throw new ApprovalRefused('Name the payment that came back.');
  }
  if (!isReturn && payment === null && customerId === null) {
    throw new ApprovalRefused('Name the customer who is charged.');
  }
  if (payment !== null && payment.unit !== judged.open?.currency) {
    throw new ApprovalRefused(`Payment ${payment.id} was paid in ${payment.unit}.`);
  }
  const max = isReturn && payment !== null && paid !== null ? creditableOf(payment, paid) : size;
  const most = size < max ? size : max;
  const chosen = part ?? most;
  if (chosen > most || chosen <= 0n) {
    const unit = judged.open?.currency ?? '';
    throw new ApprovalRefused(
      isReturn
        ? `At most ${formatAmount(most, unit)} ${unit} of it can be credited: no more than was sent and has not come back.`
        : `At most ${formatAmount(most, unit)} ${unit} left the bank.`,
    );
  }
  return chosen;
}

/** Where a human finds what it is about. */
export function factsOf(
  row: ExceptionRow,
  { customerId }: Pick<Scope, 'customerId'>,
  payment: PaymentRow | null,
): ActContent {
  const facts = {
    ...{ exception: row.exception, round: row.rounds + 1, customerId },
    ...{ paymentId: payment?.id, statement: row.bankStatementId, line: row.line },
    ...{ direction: row.direction, amount: row.amount, bankReference: row.bankReference },
    reference: row.reference,
  };
  return Object.fromEntries(
    Object.entries(facts).filter(
      (fact): fact is [string, string | number] => (fact[1] ?? null) !== null,
    ),
  );
}
