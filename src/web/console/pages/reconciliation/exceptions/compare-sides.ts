import type { PaymentRow } from '../../../../../db/payments/payment-store.ts';
import type { ExceptionRow } from '../../../../../db/reconciliation/exception-act-store.ts';
import type { StatementProblemRow } from '../../../../../db/reconciliation/statement-store.ts';
import { formatAmount } from '../../../../../domain/money/amount.ts';
import { statementMinor } from '../../../../../domain/reconciliation/statement-amount.ts';
import { momentOrDash } from '../../../parts/moments.ts';

/** One field of an exception on both sides. */
export interface ComparedField {
  readonly name: string;
  /** What the books and the payment say. */
  readonly ours: string;
  /** What the line or the statement says. */
  readonly bank: string;
  /** Both sides say something, and not the same. */
  readonly isDifferent: boolean;
}

type ComparedPayment = Pick<
  PaymentRow,
  'id' | 'amount' | 'unit' | 'status' | 'statusDetail' | 'refs'
>;

/** What is known of both sides. */
export interface BothSides {
  readonly row: ExceptionRow;
  /** The payment that the exception names; null where it names none. */
  readonly payment: ComparedPayment | null;
  /** Of the statement. */
  readonly problems: readonly StatementProblemRow[];
}

const NOTHING = '–';

/** The fields of an exception, on our side and on the bank's. */
export function compareSides(sides: BothSides): readonly ComparedField[] {
  const { row, payment } = sides;
  if (row.line !== null) return compareLine(sides, row.line);
  return payment === null ? compareStatement(sides) : comparePayment(sides, payment);
}

const field = (
  name: string,
  ours: string | null,
  bank: string | null,
  isDifferent = ours !== null && bank !== null && ours !== bank,
): ComparedField => ({ name, ours: ours ?? NOTHING, bank: bank ?? NOTHING, isDifferent });

function compareLine({ row, payment }: BothSides, line: number): readonly ComparedField[] {
  const { exception, amount, currency, direction, reference, bankReference, bookedAt } = row;
  const way = direction === 'CRDT' ? 'In' : 'Out';
  const place = `Line ${String(line)} of statement ${row.bankStatementId ?? NOTHING}`;
  const theirs = [
    field('Reference', null, reference),
    field('Bank’s reference', null, bankReference),
    field('Booked (UTC)', null, momentOrDash(bookedAt)),
  ];
  if (payment === null) {
    return [
      field('What it is', 'No payment has this reference', place, true),
      ...[field('Amount', null, `${amount ?? NOTHING} ${currency ?? ''}`.trim())],
      ...[field('Direction', null, way), ...theirs],
    ];
  }
  const read = statementMinor({ amount: amount ?? '', currency: currency ?? '' });
  const isBack = payment.status === 'RETURNED';
  const hasLeft = payment.status === 'COMPLETED' || isBack;
  const isRepeated = exception === 'DUPLICATE_AT_BANK';
  return [
    field('What it is', `Payment ${payment.id}`, place, false),
    field(
      'Amount',
      formatAmount(payment.amount, payment.unit),
      read.ok ? formatAmount(read.minor, currency ?? '') : amount,
      !read.ok || read.minor !== payment.amount,
    ),
    field('Currency', payment.unit, currency),
    field(
      'Direction',
      isBack && direction === 'CRDT' ? 'In, as its return' : 'Out',
      way,
      !isBack && way === 'In',
    ),
    field(
      'Money moved',
      hasLeft ? `Yes: ${payment.status}` : `No: ${payment.status}`,
      'Yes',
      !hasLeft,
    ),
    field('Bookings', 'At most 1', isRepeated ? 'More than 1' : '1', isRepeated),
    ...referenceFields(payment, row),
    field('Booked (UTC)', null, momentOrDash(bookedAt)),
  ];
}

/** Banks write references in capital letters. */
function referenceFields(
  payment: ComparedPayment,
  { reference, bankReference }: Pick<ExceptionRow, 'reference' | 'bankReference'>,
): readonly ComparedField[] {
  const ours = valueOf(payment, 'END_TO_END_ID', reference);
  const isSame = ours?.toUpperCase() === reference?.toUpperCase();
  const known = valueOf(payment, 'BANK_REFERENCE', bankReference);
  return [
    field('Reference', ours, reference, !isSame && ours !== null && reference !== null),
    field('Bank’s reference', known, bankReference),
  ];
}

/** Of several references of a payment the one that is looked for, else the last one. */
function valueOf({ refs }: ComparedPayment, type: string, wanted: string | null): string | null {
  const values = refs.filter((one) => one.type === type).map(({ value }) => value);
  const found = values.find((value) => value.toUpperCase() === wanted?.toUpperCase());
  return found ?? values.at(-1) ?? null;
}

function comparePayment({ row }: BothSides, payment: ComparedPayment): readonly ComparedField[] {
  const { id, amount, unit, status, statusDetail } = payment;
  return [
    field('What it is', `Payment ${id}`, 'No line of a statement', true),
    field('Amount', `${formatAmount(amount, unit)} ${unit}`, null),
    field('Status', `${status} / ${statusDetail}`, null),
    field('Reference', valueOf(payment, 'END_TO_END_ID', null), row.reference),
    field('Bank’s reference', null, valueOf(payment, 'BANK_REFERENCE', null)),
  ];
}

function compareStatement({ row, problems }: BothSides): readonly ComparedField[] {
  const said = problems.filter(({ code }) => code === row.exception);
  return [
    field('What it is', null, `Statement ${row.bankStatementId ?? NOTHING}`),
    ...said.flatMap(compareProblem),
  ];
}

function compareProblem(problem: StatementProblemRow): readonly ComparedField[] {
  const text = (name: string): string | null => {
    const value = problem[name];
    if (value === null || value === undefined) return null;
    return typeof value === 'string' ? value : JSON.stringify(value);
  };
  const currency = text('currency') ?? '';
  switch (problem.code) {
    case 'BALANCE_MISMATCH':
      return [
        field('Opening balance', null, `${text('opening') ?? NOTHING} ${currency}`),
        field('Sum of the entries', `${text('booked') ?? NOTHING} ${currency}`, null),
        field('Closing balance', null, `${text('closing') ?? NOTHING} ${currency}`),
        field('Difference', `0 ${currency}`, `${text('difference') ?? NOTHING} ${currency}`),
      ];
    case 'BATCH_MISMATCH':
      return [
        field(
          `Entry ${text('entry') ?? NOTHING}`,
          `${text('transactions') ?? NOTHING} ${currency} in its transactions`,
          `${text('booked') ?? NOTHING} ${currency}`,
          true,
        ),
      ];
    case 'SEQUENCE_GAP':
    case 'SEQUENCE_JUMP':
    case 'SEQUENCE_RESTART':
      return [field('Number', `Follows ${text('after') ?? NOTHING}`, text('before'), true)];
    default:
      return Object.entries(problem)
        .filter(([name]) => name !== 'code')
        .map(([name]) => field(name, null, text(name)));
  }
}
