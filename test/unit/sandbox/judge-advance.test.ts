import { describe, expect, it } from 'vitest';
import { readyAttempt, type AttemptPhase } from '../../../src/domain/payments/attempt.ts';
import { PAYMENT_STATUSES } from '../../../src/domain/payments/payment-states.ts';
import {
  ADVANCES,
  judgeAdvance,
  type Advance,
  type AdvancedPayment,
} from '../../../src/domain/sandbox/judge-advance.ts';

const REFERENCE = 'CW1';

function judge(
  to: Advance,
  phase: AttemptPhase,
  more: Partial<AdvancedPayment> = {},
  railCode?: string,
) {
  const payment: AdvancedPayment = {
    ...{ status: 'SENT', finality: 'NONE', reconciliationStatus: 'PENDING' },
    destination: { kind: 'BANK' },
    ...more,
  };
  const attempt = { ...readyAttempt(REFERENCE, new Date(0)), phase };
  return judgeAdvance(payment, [attempt], { to, ...(railCode === undefined ? {} : { railCode }) });
}

const COMPLETED = { status: 'COMPLETED', finality: 'PROVISIONAL' } as const;

describe('a payment of the test environment', () => {
  it.each([
    ['COMPLETED', 'ACCEPTED', {}, 'SETTLED'],
    ['COMPLETED', 'UNKNOWN', { status: 'ON_HOLD' }, 'SETTLED'],
    ['FAILED', 'SENDING', { status: 'PROCESSING' }, 'REJECTED'],
    ['RETURNED', 'SETTLED', COMPLETED, 'RETURNED'],
    ['RECONCILED', 'SETTLED', COMPLETED, 'ON_STATEMENT'],
    ['RECONCILED', 'RETURNED', { status: 'RETURNED', finality: 'FINAL' }, 'ON_STATEMENT'],
  ] as const)('is moved to %s from %s by the bank', (to, phase, more, told) => {
    expect(judge(to, phase, more)).toEqual({
      kind: 'ORDER',
      order: { reference: REFERENCE, to: told },
    });
  });

  it('is moved with the code of a rail, where one says why', () => {
    const order = { reference: REFERENCE, to: 'REJECTED', reason: 'AC04' };
    expect(judge('FAILED', 'ACCEPTED', {}, 'AC04')).toEqual({ kind: 'ORDER', order });
    expect(judge('RETURNED', 'SETTLED', COMPLETED, 'AC06')).toMatchObject({
      order: { to: 'RETURNED', reason: 'AC06' },
    });
  });

  it('does not fail by a reason that may pass, nor complete by any', () => {
    for (const [to, code] of [
      ['FAILED', 'AB05'],
      ['COMPLETED', 'AC04'],
      ['RECONCILED', 'AC04'],
    ] as const) {
      expect(judge(to, 'ACCEPTED', {}, code)).toMatchObject({ kind: 'REFUSED', field: 'railCode' });
    }
  });

  it.each(['READY', 'NOT_SENT', 'REJECTED'] as const)(
    'of which nothing is with the bank (%s) goes nowhere',
    (phase) => {
      for (const to of ADVANCES) expect(judge(to, phase)).toMatchObject({ kind: 'REFUSED' });
    },
  );

  it('that is there already stays, also where it is final', () => {
    for (const status of ['COMPLETED', 'FAILED', 'RETURNED'] as const) {
      const more = { status, finality: 'FINAL' } as const;
      expect(judge(status, 'SETTLED', more)).toEqual({ kind: 'THERE' });
    }
    const told = { ...COMPLETED, reconciliationStatus: 'RECONCILED' } as const;
    expect(judge('RECONCILED', 'SETTLED', told)).toEqual({ kind: 'THERE' });
  });

  it('that is final goes nowhere else, whatever its attempt says', () => {
    for (const status of PAYMENT_STATUSES) {
      for (const to of ['COMPLETED', 'FAILED', 'RETURNED'] as const) {
        if (to === status) continue;
        const verdict = judge(to, 'SETTLED', { status, finality: 'FINAL' });
        expect(verdict, `${status} to ${to}`).toMatchObject({ kind: 'REFUSED', field: 'to' });
      }
    }
  });

  it('to a wallet is left to its chain', () => {
    for (const to of ADVANCES) {
      expect(judge(to, 'ACCEPTED', { destination: { kind: 'WALLET' } })).toMatchObject({
        kind: 'REFUSED',
      });
    }
  });

  it('whose reconciliation is an exception waits for operators', () => {
    const more = { ...COMPLETED, reconciliationStatus: 'EXCEPTION' } as const;
    expect(judge('RECONCILED', 'SETTLED', more)).toMatchObject({ kind: 'REFUSED' });
  });
});
