import { describe, expect, it } from 'vitest';
import { STATUS_DETAILS, PAYMENT_STATUSES } from '../../../src/domain/payments/payment-states.ts';
import type { AttemptPhase } from '../../../src/domain/payments/attempt.ts';
import {
  advisePayment,
  type AdvisedPayment,
  type PaymentSituation,
  type Recommendation,
} from '../../../src/domain/payments/payment-advice.ts';

const PAYMENT: AdvisedPayment = {
  ...{ status: 'ON_HOLD', statusDetail: 'STALLED', isContradicted: false, isToWallet: false },
  ...{ isQuiet: false, attempts: [], lateReturn: null, isVoidable: false },
};
const attempt = (phase: AttemptPhase, heldBy: string | null = null) => ({ phase, heldBy });
const attempts = (...phases: readonly AttemptPhase[]) => ({
  attempts: phases.map((phase) => attempt(phase)),
});

type Case = readonly [string, Partial<AdvisedPayment>, PaymentSituation, Recommendation];

const CASES: readonly Case[] = [
  ['the bank never answered', attempts('UNKNOWN'), 'OUTCOME_UNKNOWN', 'ASK_BANK'],
  ['a send was cut off', attempts('SENDING'), 'OUTCOME_UNKNOWN', 'ASK_BANK'],
  ['the bank accepted it long ago', attempts('ACCEPTED'), 'BANK_UNDECIDED', 'ASK_BANK'],
  [
    'the bank said REJECTED and then SETTLED',
    { isContradicted: true, ...attempts('REJECTED') },
    'CONTRADICTED',
    'ASK_BANK',
  ],
  [
    'a statement knows a restored attempt',
    { attempts: [attempt('UNKNOWN', 'KNOWN_BEFORE_RESTORE CW1 by a statement')] },
    'KNOWN_BEFORE_RESTORE',
    'ASK_BANK',
  ],
  [
    'a network may have paid a restored attempt',
    { status: 'PROCESSING', attempts: [attempt('UNKNOWN', 'NETWORK_UNSURE BASE')] },
    'NETWORK_UNSURE',
    'CHECK_NETWORK',
  ],
  [
    'a transfer is not mined',
    { isToWallet: true, isVoidable: true },
    'TRANSFER_STUCK',
    'CHECK_NETWORK',
  ],
  [
    'the bank rejected each attempt',
    { statusDetail: 'SETTLEMENT_FAILED', ...attempts('REJECTED', 'REJECTED') },
    'REJECTED_REPEATEDLY',
    'RETRY',
  ],
  [
    'the bank never received the order',
    { statusDetail: 'SETTLEMENT_FAILED', ...attempts('UNKNOWN') },
    'NOT_TAKEN',
    'RETRY',
  ],
  [
    'the bank accepted it after the engine gave up',
    { statusDetail: 'SETTLEMENT_FAILED', ...attempts('ACCEPTED') },
    'BANK_UNDECIDED',
    'ASK_BANK',
  ],
  ['the engine has a fault', { statusDetail: 'ENGINE_FAULT' }, 'ENGINE_FAULT', 'RETRY'],
  [
    'a name is under review',
    { statusDetail: 'COMPLIANCE_REVIEW' },
    'COMPLIANCE_REVIEW',
    'DECIDE_REVIEW',
  ],
  [
    'the customer is suspended',
    { statusDetail: 'CUSTOMER_SUSPENDED' },
    'CUSTOMER_SUSPENDED',
    'RESUME_CUSTOMER',
  ],
  ['release is stopped', { statusDetail: 'RELEASE_STOPPED' }, 'RELEASE_STOPPED', 'RESUME_RELEASE'],
  [
    'the corridor is closed',
    { statusDetail: 'CORRIDOR_UNAVAILABLE' },
    'CORRIDOR_UNAVAILABLE',
    'OPEN_CORRIDOR',
  ],
  [
    'the balance to send from is too low',
    { statusDetail: 'AWAITING_LIQUIDITY', isToWallet: true },
    'AWAITING_LIQUIDITY',
    'FILL_ADDRESS',
  ],
  ['the Travel Rule holds it', { statusDetail: 'TRAVEL_RULE' }, 'TRAVEL_RULE', 'WAIT'],
  ...(
    [
      ...['KYC_WITHDRAWN', 'END_USER_NOT_ACTIVE', 'BANK_ACCOUNT_DISABLED'],
      ...['WALLET_NOT_ACTIVE', 'WALLET_NOT_PROVED'],
    ] as AdvisedPayment['statusDetail'][]
  ).map((statusDetail): Case => [statusDetail, { statusDetail }, 'PARTNER_MUST_ACT', 'WAIT']),
  ['the engine retries', { statusDetail: 'RETRYING', ...attempts('REJECTED') }, 'RETRYING', 'WAIT'],
  [
    'the engine asks the bank',
    { status: 'PROCESSING', statusDetail: 'OUTCOME_UNKNOWN', ...attempts('UNKNOWN') },
    'ASKING_BANK',
    'WAIT',
  ],
  ['it is queued', { status: 'PROCESSING', statusDetail: 'QUEUED' }, 'MOVING', 'WAIT'],
  ['the bank has it', { status: 'SENT', statusDetail: 'IN_RAIL' }, 'MOVING', 'WAIT'],
  [
    'the bank has had it for days',
    { status: 'SENT', statusDetail: 'IN_RAIL', isQuiet: true, ...attempts('ACCEPTED') },
    'BANK_UNDECIDED',
    'ASK_BANK',
  ],
  [
    'the bank rejected it for good',
    { status: 'FAILED', statusDetail: 'REJECTED_BY_BANK', ...attempts('REJECTED') },
    'ENDED',
    'WAIT',
  ],
  [
    'it is COMPLETED and a statement says otherwise',
    {
      status: 'COMPLETED',
      statusDetail: 'DELIVERED',
      isContradicted: true,
      ...attempts('SETTLED'),
    },
    'ENDED_CONTRADICTED',
    'ASK_BANK',
  ],
  [
    'money came back late and is booked',
    { status: 'COMPLETED', statusDetail: 'DELIVERED', lateReturn: { isBooked: true } },
    'LATE_RETURN_TO_DECIDE',
    'SETTLE_LATE_RETURN',
  ],
  [
    'money came back late and is not booked',
    { status: 'COMPLETED', statusDetail: 'DELIVERED', lateReturn: { isBooked: false } },
    'LATE_RETURN_NOT_BOOKED',
    'WAIT',
  ],
];

it.each(CASES)('%s', (_name, given, situation, recommended) => {
  expect(advisePayment({ ...PAYMENT, ...given })).toMatchObject({ situation, recommended });
});

/** Every state with every attempt, as far as the advice looks at it. */
const PHASES: readonly AttemptPhase[] = [
  ...(['READY', 'SENDING', 'NOT_SENT', 'UNKNOWN', 'ACCEPTED'] as const),
  ...(['SETTLED', 'REJECTED', 'RETURNED'] as const),
];
const ALL: readonly AdvisedPayment[] = PAYMENT_STATUSES.flatMap((status) =>
  STATUS_DETAILS.flatMap((statusDetail) =>
    [
      [],
      ...PHASES.flatMap((phase) => [
        [attempt(phase)],
        [attempt(phase, 'UNCLEAR_BEFORE_RESTORE CW1 by SEPA')],
      ]),
    ].flatMap((known) =>
      [true, false].flatMap((flag) =>
        [true, false].map((isToWallet) => ({
          ...PAYMENT,
          ...{ status, statusDetail, attempts: known, isContradicted: flag, isToWallet },
          isQuiet: !flag,
        })),
      ),
    ),
  ),
);

describe('whatever the state of a payment', () => {
  it('no confirmation is recommended: only the bank makes one true', () => {
    const recommended = new Set(ALL.map((payment) => advisePayment(payment).recommended));
    expect(recommended).not.toContain('CONFIRM_FAILED');
    expect(recommended).not.toContain('CONFIRM_SETTLED');
  });

  it('a retry is not recommended while the bank may have paid, nor where the engine refuses one', () => {
    for (const payment of ALL) {
      const { recommended, acts, situation } = advisePayment(payment);
      if (recommended !== 'RETRY') continue;
      expect(payment.status).toBe('ON_HOLD');
      expect(payment.statusDetail, situation).not.toBe('STALLED');
      expect(payment.isContradicted).toBe(false);
      expect(payment.attempts.every(({ heldBy }) => heldBy === null)).toBe(true);
      expect(acts[0]).toBe('RETRY');
    }
  });

  it('nothing that returns funds is offered while the bank says that it paid, nor for a wallet', () => {
    for (const payment of ALL.filter(
      ({ isContradicted, isToWallet }) => isContradicted || isToWallet,
    )) {
      expect(advisePayment(payment).acts).not.toContain('CONFIRM_FAILED');
    }
  });

  it('a recommended act is among those that can be done', () => {
    const acts = ['RETRY', 'SETTLE_LATE_RETURN', 'VOID_TRANSFER'];
    for (const payment of ALL) {
      const advice = advisePayment(payment);
      if (acts.includes(advice.recommended)) expect(advice.acts).toContain(advice.recommended);
    }
  });
});
