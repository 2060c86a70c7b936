import { Type } from 'typebox';
import { BANK_FAULTS, FAULT_COUNT_MAX } from '../../domain/sandbox/bank-faults.ts';
import { ADVANCES } from '../../domain/sandbox/judge-advance.ts';
import { DIRECTED_KYC_STATUSES } from '../../domain/sandbox/kyc-control.ts';
import { NullableTimestamp, Timestamp } from './common.ts';

const KycState = Type.Enum(DIRECTED_KYC_STATUSES, {
  type: 'string',
  description:
    'The state to which the provider moves the newest check. The check passes through all states in between.',
  examples: ['APPROVED'],
});

export const NewSandboxKyc = Type.Object(
  { state: KycState },
  {
    title: 'NewSandboxKyc',
    additionalProperties: false,
    description: 'The state to which the KYC check moves.',
  },
);

export const SandboxKyc = Type.Object(
  {
    endUserId: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    kycId: Type.String({
      description: 'The id of the check.',
      examples: ['kyc_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    state: KycState,
    createdAt: Timestamp('The time of the request.'),
  },
  {
    title: 'SandboxKyc',
    additionalProperties: false,
    description: 'The KYC check and the state to which it moves.',
  },
);

const AdvanceTo = Type.Enum(ADVANCES, {
  type: 'string',
  description:
    'The state to which the bank moves the payment. RECONCILED: the bank shows the payment on a statement now.',
  examples: ['COMPLETED'],
});

const RailCode = Type.String({
  pattern: '^[A-Z0-9_-]{1,35}$',
  description:
    'The reason code of the bank, for FAILED and RETURNED only. Default: a code that the sandbox chooses.',
  examples: ['AC04'],
});

export const NewSandboxAdvance = Type.Object(
  { to: AdvanceTo, railCode: Type.Optional(RailCode) },
  {
    title: 'NewSandboxAdvance',
    additionalProperties: false,
    description: 'The state to which the payment moves.',
  },
);

export const SandboxAdvance = Type.Object(
  {
    paymentId: Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    to: AdvanceTo,
    createdAt: Timestamp('The time of the request.'),
  },
  {
    title: 'SandboxAdvance',
    additionalProperties: false,
    description: 'The payment and the state to which it moves.',
  },
);

const Fault = Type.Enum(BANK_FAULTS, {
  type: 'string',
  description:
    'The fault to simulate. The values, in this order, match the amounts that end in .01 to .07. UNDECIDED matches no amount: the bank accepts the payment, and only `POST /sandbox/payments/{paymentId}/advance` decides it.',
  examples: ['RETURNED'],
});

const COUNT = {
  ...{ minimum: 1, maximum: FAULT_COUNT_MAX },
  ...{ description: 'The number of payments that the fault applies to.', examples: [3] },
};

export const NewSandboxFault = Type.Object(
  {
    fault: Fault,
    count: Type.Optional(Type.Integer({ ...COUNT, default: 1 })),
  },
  { title: 'NewSandboxFault', additionalProperties: false, description: 'A fault to simulate.' },
);

export const SandboxFault = Type.Object(
  {
    fault: Fault,
    count: Type.Integer(COUNT),
    left: Type.Integer({
      minimum: 0,
      maximum: FAULT_COUNT_MAX,
      description: 'The number of payments that the fault still applies to.',
      examples: [2],
    }),
    armedAt: Timestamp('The time at which the fault was created.'),
    endsAt: Timestamp('The time at which the fault ends.'),
  },
  { title: 'SandboxFault', additionalProperties: false, description: 'A pending fault.' },
);

const NUMBER = '[1-9][0-9]{0,8}';
const DATE = `(${NUMBER}W(${NUMBER}D)?|${NUMBER}D)`;
const TIME = `T(${NUMBER}H(${NUMBER}M)?(${NUMBER}S)?|${NUMBER}M(${NUMBER}S)?|${NUMBER}S)`;
const ADVANCE_PATTERN = `^P(${DATE}(${TIME})?|${TIME})$`;

export const NewSandboxClockAdvance = Type.Object(
  {
    advance: Type.String({
      maxLength: 60,
      pattern: ADVANCE_PATTERN,
      description:
        'How far the clock moves: an ISO 8601 duration of whole weeks, days (24 hours), hours, minutes, and seconds. Longer than zero, 400 days at most.',
      examples: ['P1D'],
    }),
  },
  {
    title: 'NewSandboxClockAdvance',
    additionalProperties: false,
    description: 'How far the clock of the test environment moves.',
  },
);

export const SandboxClock = Type.Object(
  {
    advancedBy: Type.String({
      description: 'How far the clock was moved in sum, as an ISO 8601 duration. `PT0S`: never.',
      examples: ['P10D'],
    }),
    remaining: Type.String({
      description: 'How far the clock can still be moved, as an ISO 8601 duration.',
      examples: ['P390D'],
    }),
    advancedAt: NullableTimestamp(
      'The real time of the last move. Null: the clock was never moved.',
    ),
  },
  {
    title: 'SandboxClock',
    additionalProperties: false,
    description: 'How far you have moved the clock of your test environment.',
  },
);
