import fc from 'fast-check';
import type {
  LineOutcome,
  MatchCandidate,
  MatchLine,
} from '../../../src/domain/reconciliation/match-lines.ts';

/** One thing that can be on a statement, the payments behind it, and what has to be found. */
interface Planted {
  candidates: MatchCandidate[];
  lines: Omit<MatchLine, 'lineNumber'>[];
  /** Of the payment (or the stranger), in no order. */
  outcomes: string[];
}

const kinds = [
  'clean',
  'unknown until now',
  'altered',
  'other currency',
  'too precise',
  'doubled',
  'doubled and corrected',
  'late',
  'rejected attempt booked',
  'two attempts booked',
  'returned',
  'returned less a fee',
  'paid back in part by a stranger',
  'paid back whole by a stranger',
  'returned with too much',
  'returned twice',
  'returned after release',
  'reversed',
  'return taken back',
  'never sent, debited',
  'never sent, credited',
  'missing',
  'pending',
  'stranger debit',
  'stranger credit',
  'fee without reference',
  'zero without reference',
] as const;

type Kind = (typeof kinds)[number];

export const outcomeName = (outcome: LineOutcome): string =>
  outcome.kind === 'EXCEPTION' ? outcome.exception : outcome.kind;

function plant(kind: Kind, index: number, cents: number): Planted {
  const paymentId = `pay-${index}`;
  const base = `CW${String(index).padStart(26, '0')}`;
  const text = (value: number) =>
    `${Math.floor(value / 100)}.${String(value % 100).padStart(2, '0')}`;
  const candidate: MatchCandidate = {
    paymentId,
    reference: `${base}01`,
    minor: BigInt(cents),
    currency: 'EUR',
    attempt: 'SETTLED',
    areFundsReleased: false,
  };
  const debit: Planted['lines'][number] = {
    reference: candidate.reference,
    amount: text(cents),
    currency: 'EUR',
    direction: 'DBIT',
    isReversal: false,
    isReturn: false,
    status: 'BOOK',
  };
  const credit = { ...debit, direction: 'CRDT' as const, isReturn: true };
  const one = (
    lines: Planted['lines'],
    outcomes: string[],
    more: Partial<MatchCandidate> = {},
  ): Planted => ({ candidates: [{ ...candidate, ...more }], lines, outcomes });
  const stranger = (lines: Planted['lines'], outcomes: string[]): Planted => ({
    candidates: [],
    lines,
    outcomes,
  });

  switch (kind) {
    case 'clean':
      return one([{ ...debit, amount: `${debit.amount}000` }], ['RECONCILED']);
    case 'unknown until now':
      return one([{ ...debit, reference: base.toLowerCase() + '01' }], ['RECONCILED'], {
        attempt: 'OPEN',
      });
    case 'altered':
      return one([{ ...debit, amount: text(cents + 1) }], ['AMOUNT_MISMATCH']);
    case 'other currency':
      return one([{ ...debit, currency: 'USD' }], ['AMOUNT_MISMATCH']);
    case 'too precise':
      return one([{ ...debit, amount: `${debit.amount}1` }], ['AMOUNT_MISMATCH']);
    case 'doubled':
      return one([debit, debit], ['RECONCILED', 'DUPLICATE_AT_BANK']);
    case 'doubled and corrected':
      return one(
        [debit, debit, { ...credit, isReversal: true }],
        ['RECONCILED', 'OFFSET', 'OFFSET'],
      );
    case 'late':
      return one([debit], ['LATE'], { areFundsReleased: true, attempt: 'DEAD' });
    case 'rejected attempt booked':
      return one([debit], ['LATE'], { attempt: 'DEAD' });
    case 'two attempts booked':
      return {
        candidates: [candidate, { ...candidate, reference: `${base}02`, attempt: 'OPEN' }],
        lines: [debit, { ...debit, reference: `${base}02` }],
        outcomes: ['RECONCILED', 'DUPLICATE_AT_BANK'],
      };
    case 'returned':
      return one([debit, credit], ['RECONCILED', 'RETURN']);
    case 'returned less a fee':
      return one([debit, { ...credit, amount: text(cents - 1) }], ['RECONCILED', 'RETURN']);
    case 'paid back in part by a stranger': {
      const cent = { ...credit, amount: text(cents - 1), isReturn: false };
      return one([debit, cent], ['RECONCILED', 'UNKNOWN_RETURN']);
    }
    case 'paid back whole by a stranger':
      return one([debit, { ...credit, isReturn: false }], ['RECONCILED', 'UNKNOWN_RETURN']);
    case 'returned with too much':
      return one(
        [debit, { ...credit, amount: text(cents + 1) }],
        ['RECONCILED', 'AMOUNT_MISMATCH'],
      );
    case 'returned twice':
      return one([debit, credit, credit], ['RECONCILED', 'RETURN', 'DUPLICATE_AT_BANK']);
    case 'returned after release':
      return one([debit, credit], ['LATE', 'LATE'], { areFundsReleased: true, attempt: 'DEAD' });
    case 'reversed':
      return one([debit, { ...credit, isReversal: true }], ['RECONCILED', 'RETURN']);
    case 'return taken back':
      return one(
        [debit, credit, { ...debit, isReversal: true }],
        ['RECONCILED', 'OFFSET', 'OFFSET'],
      );
    case 'never sent, debited':
      return one([debit], ['UNEXPECTED_AT_BANK'], { attempt: 'NEVER_SENT' });
    case 'never sent, credited':
      return one([credit], ['UNKNOWN_RETURN'], { attempt: 'NEVER_SENT' });
    case 'missing':
      return one([], []);
    case 'pending':
      return one(
        [{ ...debit, status: 'PDNG' }, { ...debit, status: 'INFO' }, debit],
        ['IGNORED', 'IGNORED', 'RECONCILED'],
      );
    case 'stranger debit':
      return stranger([debit], ['UNEXPECTED_AT_BANK']);
    case 'stranger credit':
      return stranger([credit], ['UNKNOWN_RETURN']);
    case 'fee without reference':
      return stranger([{ ...debit, reference: null }], ['UNEXPECTED_AT_BANK']);
    case 'zero without reference':
      return stranger([{ ...debit, reference: null, amount: '0.00000' }], ['IGNORED']);
  }
}

/** Plantings whose lines keep their order among themselves and are otherwise dealt at random. */
export const plantedStatement = fc
  .array(
    fc.record({
      kind: fc.constantFrom(...kinds),
      cents: fc.integer({ min: 2, max: 10_000_000 }),
      places: fc.array(fc.integer({ min: 0, max: 1_000_000 }), { minLength: 3, maxLength: 3 }),
    }),
    { maxLength: 60 },
  )
  .map((drawn) => {
    const planted = drawn.map(({ kind, cents }, index) => plant(kind, index, cents));
    const dealt = planted.flatMap(({ lines }, owner) => {
      const places = [...(drawn[owner]?.places ?? [])].sort((left, right) => left - right);
      return lines.map((line, nth) => ({ line, owner, place: places[nth] ?? 0 }));
    });
    dealt.sort((left, right) => left.place - right.place);
    return {
      candidates: planted.flatMap(({ candidates }) => candidates),
      lines: dealt.map(({ line }, index): MatchLine => ({ ...line, lineNumber: index + 1 })),
      /** Index of the planting that each line belongs to. */
      owners: dealt.map(({ owner }) => owner),
      expected: planted.map(({ outcomes }) => [...outcomes].sort()),
    };
  });
