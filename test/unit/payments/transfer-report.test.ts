import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isRetryableReason,
  judgeTransferReport,
  type AttemptPhase,
  type TransferReport,
  type ReportEffect,
} from '../../../src/domain/payments/transfer-report.ts';
import { postingsFor, type PostingKind } from '../../../src/domain/ledger/postings.ts';
import { isLegalMove, type PaymentStatus } from '../../../src/domain/payments/payment-states.ts';

type Word = TransferReport['status'];

/** What a payment with one attempt becomes, as apply-bank-word.ts carries it out. */
interface State {
  payment: PaymentStatus;
  phase: AttemptPhase;
  readonly moved: PostingKind[];
}

const OPEN: readonly AttemptPhase[] = ['SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED'];

function hear(state: State, word: Word): ReportEffect {
  const hasOpenAttempt = OPEN.includes(state.phase);
  const effect = judgeTransferReport(
    { payment: state.payment, phase: state.phase, hasOpenAttempt, isAnswer: false },
    word,
  );
  const move = (to: PaymentStatus, phase: AttemptPhase, posting?: PostingKind) => {
    if (to !== state.payment)
      expect(isLegalMove(state.payment, to), `${state.payment} to ${to}`).toBe(true);
    state.payment = to;
    state.phase = phase;
    if (posting !== undefined) state.moved.push(posting);
  };
  if (effect === 'MARK_SENT') move('SENT', 'ACCEPTED');
  if (effect === 'COMPLETE') move('COMPLETED', 'SETTLED', 'SETTLE');
  if (effect === 'REJECT') move('FAILED', 'REJECTED', 'RELEASE');
  if (effect === 'COMPLETE_AND_RETURN') move('COMPLETED', 'SETTLED', 'SETTLE');
  if (effect === 'RETURN' || effect === 'COMPLETE_AND_RETURN')
    move('RETURNED', 'RETURNED', 'RETURN');
  return effect;
}

const anyWords = fc.array(fc.constantFrom<Word>('ACCEPTED', 'SETTLED', 'REJECTED', 'RETURNED'), {
  maxLength: 12,
});
const anyStart = fc
  .record({
    payment: fc.constantFrom<PaymentStatus>('PROCESSING', 'ON_HOLD', 'SENT'),
    phase: fc.constantFrom<AttemptPhase>('SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED'),
  })
  .filter(({ payment, phase }) => payment !== 'SENT' || phase === 'ACCEPTED');

describe('words about one attempt, in any order and number', () => {
  it('move the money out at most once, and never after it was given back', () => {
    fc.assert(
      fc.property(anyStart, anyWords, (start, words) => {
        const state: State = { ...start, moved: [] };
        for (const word of words) hear(state, word);
        const story = state.moved.join();
        expect(['', 'SETTLE', 'RELEASE', 'SETTLE,RETURN']).toContain(story);
      }),
      { numRuns: 2_000 },
    );
  });

  it('said twice have no second effect', () => {
    fc.assert(
      fc.property(anyStart, anyWords, (start, words) => {
        const once: State = { ...start, moved: [] };
        const twice: State = { ...start, moved: [] };
        for (const word of words) {
          hear(once, word);
          hear(twice, word);
          const again = hear(twice, word);
          expect(['NOTHING', 'CONTRADICTION']).toContain(again);
        }
        expect(twice).toEqual(once);
      }),
    );
  });

  it('of a bank that does not contradict itself lead to one end in any order', () => {
    const stories: readonly [Word[], PaymentStatus][] = [
      [['ACCEPTED', 'SETTLED'], 'COMPLETED'],
      [['ACCEPTED', 'REJECTED'], 'FAILED'],
      [['ACCEPTED', 'SETTLED', 'RETURNED'], 'RETURNED'],
    ];
    fc.assert(
      fc.property(
        anyStart,
        fc.constantFrom(...stories),
        fc.infiniteStream(fc.double()),
        (start, [words, end], random) => {
          const order = words
            .flatMap((word) => [word, word])
            .map((word) => [random.next().value, word] as const)
            .sort(([a], [b]) => Number(a) - Number(b));
          const state: State = { ...start, moved: [] };
          const effects = order.map(([, word]) => hear(state, word));
          expect(state.payment).toBe(end);
          expect(effects).not.toContain('CONTRADICTION');
        },
      ),
    );
  });

  it('against what is final are contradictions', () => {
    const judge = (payment: PaymentStatus, phase: AttemptPhase, word: Word) =>
      judgeTransferReport({ payment, phase, hasOpenAttempt: false, isAnswer: true }, word);
    expect(judge('COMPLETED', 'SETTLED', 'REJECTED')).toBe('CONTRADICTION');
    expect(judge('FAILED', 'REJECTED', 'SETTLED')).toBe('CONTRADICTION');
    expect(judge('FAILED', 'REJECTED', 'RETURNED')).toBe('CONTRADICTION');
    expect(judge('RETURNED', 'RETURNED', 'REJECTED')).toBe('CONTRADICTION');
  });
});

describe('words about a rejected attempt', () => {
  it('are believed while nothing else is under way, and never while something is', () => {
    for (const payment of ['PROCESSING', 'ON_HOLD', 'SENT'] as const) {
      const judge = (hasOpenAttempt: boolean) =>
        judgeTransferReport(
          { payment, phase: 'REJECTED', hasOpenAttempt, isAnswer: false },
          'SETTLED',
        );
      expect(judge(false)).toBe('COMPLETE');
      expect(judge(true)).toBe('CONTRADICTION');
    }
  });

  it('ACCEPTED takes it up again as an answer, and is old news as a callback', () => {
    const judge = (isAnswer: boolean, hasOpenAttempt: boolean) =>
      judgeTransferReport(
        { payment: 'PROCESSING', phase: 'REJECTED', hasOpenAttempt, isAnswer },
        'ACCEPTED',
      );
    expect(judge(true, false)).toBe('MARK_SENT');
    expect(judge(false, false)).toBe('NOTHING');
    expect(judge(true, true)).toBe('NOTHING');
  });
});

describe('a reason', () => {
  it.each(['BANK_UNAVAILABLE', 'AB05', 'RAIL_UNAVAILABLE'])(
    '%s may be met by another try',
    (reason) => {
      expect(isRetryableReason(reason)).toBe(true);
    },
  );
  it.each([null, 'AC04', 'ACCOUNT_NOT_FOUND', 'UNSPECIFIED', 'bank_unavailable'])(
    '%s may not',
    (reason) => {
      expect(isRetryableReason(reason)).toBe(false);
    },
  );
});

describe('postings', () => {
  const anyKind = fc.constantFrom<PostingKind>('FUND', 'HOLD', 'SETTLE', 'RELEASE', 'RETURN');
  const anyAmount = fc.bigInt({ min: 1n, max: 10n ** 18n });

  it('sum to zero, whatever they are for', () => {
    fc.assert(
      fc.property(anyKind, anyAmount, (kind, amount) => {
        const lines = postingsFor(kind, amount, 'SEPA');
        expect(lines.reduce((sum, line) => sum + line.amount, 0n)).toBe(0n);
        expect(lines.every((line) => line.amount !== 0n)).toBe(true);
      }),
    );
  });

  it('of a payment that went out and came back leave every account as it was', () => {
    fc.assert(
      fc.property(anyAmount, (amount) => {
        for (const story of [
          ['HOLD', 'RELEASE'],
          ['HOLD', 'SETTLE', 'RETURN'],
        ] as const) {
          const sums = new Map<string, bigint>();
          for (const kind of story) {
            for (const line of postingsFor(kind, amount, 'SEPA')) {
              sums.set(line.account, (sums.get(line.account) ?? 0n) + line.amount);
            }
          }
          expect([...sums.values()].every((sum) => sum === 0n)).toBe(true);
        }
      }),
    );
  });

  it.each([0n, -1n])('of %s are refused', (amount) => {
    expect(() => postingsFor('HOLD', amount, 'SEPA')).toThrow(RangeError);
  });
});
