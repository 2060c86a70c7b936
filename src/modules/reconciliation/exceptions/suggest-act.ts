import type { SystemTransaction } from '../../../db/client/database.ts';
import { readReturnedOf } from '../../../db/reconciliation/exception-act-store.ts';
import { hasTwin, isGapFilled } from '../../../db/reconciliation/rule-facts-store.ts';
import { formatAmount } from '../../../domain/money/amount.ts';
import {
  EXCEPTION_RULES,
  type ExceptionRule,
} from '../../../domain/reconciliation/exceptions/exception-rules.ts';
import {
  ruleFor,
  sizeOf,
  type RuleFacts,
} from '../../../domain/reconciliation/exceptions/judge-rules.ts';
import { ApprovalRefused } from '../../approvals/approval-refused.ts';
import type { OpenException } from './show-exception.ts';
import { creditableOf } from '../../../domain/reconciliation/exceptions/creditable.ts';
import type { Money } from '../../../domain/ledger/movements.ts';
import { contentOfAct, type ActContent } from './propose-exception-act.ts';
import { readTieOfLine, type LineTie } from './tie-line.ts';

/** What a rule suggests about an exception: nothing is written. */
export interface Suggestion {
  readonly rule: ExceptionRule;
  /** All that the act would do, as two operators would approve it. */
  readonly content: ActContent;
  /** Of the payment; 1 where the exception has none. */
  readonly version: number;
  /** What the act books: positive came in, negative left. Null: nothing. */
  readonly books: Money | null;
}

/** What the rules suggest about an open exception; null where none fits, or the acts themselves refuse it. */
export async function suggestAct(
  tx: SystemTransaction,
  shown: OpenException,
): Promise<Suggestion | null> {
  if (shown.acts.length === 0) return null;
  const tie = shown.acts.includes('TIE_TRADE') ? await readTieOfLine(tx, shown) : null;
  const rules = EXCEPTION_RULES.filter(
    ({ kind, act }) => kind === shown.exception && (act !== 'TIE_TRADE' || tie !== null),
  );
  if (rules.length === 0) return null;
  const { payment, customerId, environment } = shown;
  const paid =
    payment === null || customerId === null
      ? null
      : await readReturnedOf(tx, { customerId, environment }, payment);
  const rule = ruleFor(rules, await factsOf(tx, shown, { paid, tie }));
  if (rule === null) return null;
  if (rule.act === 'TIE_TRADE') return suggestTie(rule, tie);
  const { act, account } = rule;
  const wanted = { act, account, part: null, payment: null, customerId: null };
  try {
    const content = { ...contentOfAct(shown, wanted, { payment, paid }), rule: rule.name };
    return { rule, content, version: payment?.version ?? 1, books: shown.open };
  } catch (error) {
    if (error instanceof ApprovalRefused) return null;
    throw error;
  }
}

/** A tie books what the bank charged, and no more. */
const suggestTie = (rule: ExceptionRule, tie: LineTie | null): Suggestion | null =>
  tie && { rule, content: { ...tie.content, rule: rule.name }, version: 1, books: tie.books };

interface Known {
  readonly paid: Parameters<typeof creditableOf>[1] | null;
  readonly tie: LineTie | null;
}

async function factsOf(
  tx: SystemTransaction,
  shown: OpenException,
  { paid, tie }: Known,
): Promise<RuleFacts> {
  const { exception, direction, open, payment, line, suspense } = shown;
  const statementId = BigInt(/^[0-9]+/.exec(shown.id)?.[0] ?? '0');
  const hasLeft = open !== null && open.minor < 0n;
  return {
    ...{ exception, direction, open: tie?.books ?? open, isInSuspense: suspense !== null },
    namesTrade: tie !== null,
    isOfOneCurrency:
      payment !== null &&
      payment.rate === null &&
      payment.unit === open?.currency &&
      (payment.status === 'COMPLETED' || payment.status === 'RETURNED'),
    creditable: payment === null || paid === null ? 0n : creditableOf(payment, paid),
    hasTwin:
      line !== null &&
      open !== null &&
      (await hasTwin(tx, {
        ...{ statementId, line, hasLeft },
        open: formatAmount(sizeOf(open), open.currency),
      })),
    isGapFilled: exception === 'SEQUENCE_GAP' && (await isGapFilled(tx, statementId)),
  };
}
