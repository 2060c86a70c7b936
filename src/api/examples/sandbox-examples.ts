import type { Static } from 'typebox';
import type {
  NewSandboxAdvance,
  NewSandboxClockAdvance,
  NewSandboxFault,
  NewSandboxKyc,
  SandboxAdvance,
  SandboxClock,
  SandboxFault,
  SandboxKyc,
} from '../schemas/sandbox.ts';
import { exampleId, exampleTime, onlyPage, type ExampleTable } from './operation-example.ts';

const REVOKE = { state: 'REVOKED' } as const satisfies Static<typeof NewSandboxKyc>;

const REVOKED: Static<typeof SandboxKyc> = {
  ...REVOKE,
  endUserId: exampleId('eu'),
  kycId: exampleId('kyc'),
  createdAt: exampleTime('12:50:00'),
};

const RETURN = {
  to: 'RETURNED',
  railCode: 'AC04',
} as const satisfies Static<typeof NewSandboxAdvance>;

const RETURNED: Static<typeof SandboxAdvance> = {
  paymentId: exampleId('pay'),
  to: 'RETURNED',
  createdAt: exampleTime('12:51:00'),
};

const ARM = { fault: 'UNDECIDED', count: 2 } as const satisfies Static<typeof NewSandboxFault>;

const ARMED: Static<typeof SandboxFault> = {
  ...ARM,
  left: 2,
  armedAt: exampleTime('12:52:00'),
  endsAt: exampleTime('13:52:00'),
};

const MOVED: Static<typeof SandboxClock> = {
  advancedBy: 'P10D',
  remaining: 'P390D',
  advancedAt: exampleTime('12:53:00'),
};

export const SANDBOX_EXAMPLES: ExampleTable = {
  decideSandboxKyc: {
    revoked: {
      summary: 'An approval is taken back',
      request: REVOKE,
      status: 202,
      answer: REVOKED,
    },
  },
  advanceSandboxPayment: {
    returned: {
      summary: 'The account is closed, and the money comes back',
      request: RETURN,
      status: 202,
      answer: RETURNED,
    },
  },
  createSandboxFault: {
    armed: {
      summary: 'The next two payments are not decided',
      request: ARM,
      status: 201,
      answer: ARMED,
    },
  },
  listSandboxFaults: {
    page: { summary: 'One fault that no payment has met', status: 200, answer: onlyPage(ARMED) },
  },
  advanceSandboxClock: {
    moved: {
      summary: 'One more day has passed',
      request: { advance: 'P1D' } satisfies Static<typeof NewSandboxClockAdvance>,
      status: 200,
      answer: MOVED,
    },
  },
  getSandboxClock: { moved: { summary: 'Ten days have passed', status: 200, answer: MOVED } },
};
