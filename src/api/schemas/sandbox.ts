import { Type } from 'typebox';
import { BANK_FAULTS, FAULT_COUNT_MAX } from '../../domain/sandbox/bank-faults.ts';
import { ADVANCES } from '../../domain/sandbox/judge-advance.ts';
import { DIRECTED_KYC_STATUSES } from '../../domain/sandbox/kyc-control.ts';
import { Timestamp } from './common.ts';

const KycState = Type.Enum(DIRECTED_KYC_STATUSES, {
  type: 'string',
  description: 'What the provider tells of the newest check. States between are passed through.',
  examples: ['APPROVED'],
});

export const NewSandboxKyc = Type.Object(
  { state: KycState },
  { title: 'NewSandboxKyc', additionalProperties: false },
);

export const SandboxKyc = Type.Object(
  {
    endUserId: Type.String({ examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    kycId: Type.String({
      description: 'The check that is moved.',
      examples: ['kyc_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    state: KycState,
    createdAt: Timestamp('When it was asked for.'),
  },
  { title: 'SandboxKyc', additionalProperties: false },
);

const AdvanceTo = Type.Enum(ADVANCES, {
  type: 'string',
  description: 'Where the payment is moved. RECONCILED: the bank shows it on a statement now.',
  examples: ['COMPLETED'],
});

const RailCode = Type.String({
  pattern: '^[A-Z0-9_-]{1,35}$',
  description: "The bank's reason, of FAILED and RETURNED alone. Left out: one of the sandbox's.",
  examples: ['AC04'],
});

export const NewSandboxAdvance = Type.Object(
  { to: AdvanceTo, railCode: Type.Optional(RailCode) },
  { title: 'NewSandboxAdvance', additionalProperties: false },
);

export const SandboxAdvance = Type.Object(
  {
    paymentId: Type.String({ examples: ['pay_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    to: AdvanceTo,
    createdAt: Timestamp('When it was asked for.'),
  },
  { title: 'SandboxAdvance', additionalProperties: false },
);

const Fault = Type.Enum(BANK_FAULTS, {
  type: 'string',
  description:
    'What goes wrong: as at amounts that end in .01 to .07, in this order. UNDECIDED has no cents: accepted, and decided by ' +
    '`POST /sandbox/payments/{paymentId}/advance` alone.',
  examples: ['RETURNED'],
});

const COUNT = {
  ...{ minimum: 1, maximum: FAULT_COUNT_MAX },
  ...{ description: 'How many payments meet it.', examples: [3] },
};

export const NewSandboxFault = Type.Object(
  {
    fault: Fault,
    count: Type.Optional(Type.Integer({ ...COUNT, default: 1 })),
  },
  { title: 'NewSandboxFault', additionalProperties: false },
);

export const SandboxFault = Type.Object(
  {
    fault: Fault,
    count: Type.Integer(COUNT),
    left: Type.Integer({
      minimum: 0,
      maximum: FAULT_COUNT_MAX,
      description: 'How many of them have not met it yet.',
      examples: [2],
    }),
    armedAt: Timestamp('Since when it waits.'),
    endsAt: Timestamp('From then on no payment meets it.'),
  },
  { title: 'SandboxFault', additionalProperties: false },
);
