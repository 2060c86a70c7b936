import type { Static } from 'typebox';
import type { DepositAddress, NewDepositAddress } from '../schemas/deposit-address.ts';
import type { Deposit, NewDepositRefund } from '../schemas/deposit.ts';
import type {
  NewSandboxTokenDeposit,
  SandboxTokenDeposit,
} from '../schemas/sandbox-token-deposit.ts';
import {
  EXAMPLE_ADDRESS,
  EXAMPLE_TX_HASH,
  exampleId,
  exampleTime,
  onlyPage,
  type ExampleTable,
} from './operation-example.ts';
import { refundOf } from './payment-examples.ts';

const ORDER = {
  endUserId: exampleId('eu'),
  bankAccountId: exampleId('ba'),
  minAmount: '10',
} as const satisfies Static<typeof NewDepositAddress>;

const ACTIVE: Static<typeof DepositAddress> = {
  ...ORDER,
  id: exampleId('da'),
  walletId: null,
  minAmount: '10.000000',
  address: EXAMPLE_ADDRESS,
  networks: [{ network: 'BASE', assets: ['USDC'] }],
  status: 'ACTIVE',
  version: 1,
  createdAt: exampleTime('12:07:00'),
  updatedAt: exampleTime('12:07:00'),
};

const DISABLED: Static<typeof DepositAddress> = {
  ...ACTIVE,
  status: 'DISABLED',
  version: 2,
  updatedAt: exampleTime('12:40:00'),
};

const FINAL: Static<typeof Deposit> = {
  id: exampleId('dep'),
  network: 'BASE',
  asset: 'USDC',
  amount: '100.000000',
  from: EXAMPLE_ADDRESS,
  address: EXAMPLE_ADDRESS,
  txHash: EXAMPLE_TX_HASH,
  confirmations: { have: 40, need: 12 },
  status: 'FINAL',
  appliedTo: 'BALANCE',
  reason: 'PAYMENT_REFUSED',
  paymentId: null,
  depositAddressId: exampleId('da'),
  onward: { paymentId: null, code: 'bank_account_disabled' },
  minedAt: exampleTime('12:21:00'),
  version: 3,
  createdAt: exampleTime('12:21:02'),
  updatedAt: exampleTime('12:23:00'),
};

const REFUND = {
  walletId: exampleId('wal'),
  amount: '100',
} as const satisfies Static<typeof NewDepositRefund>;

const SEND = {
  address: EXAMPLE_ADDRESS,
  network: 'BASE',
  asset: 'USDC',
  amount: '100',
} as const satisfies Static<typeof NewSandboxTokenDeposit>;

const SENT: Static<typeof SandboxTokenDeposit> = {
  ...SEND,
  amount: '100.000000',
  txHash: EXAMPLE_TX_HASH,
  createdAt: exampleTime('12:20:55'),
};

export const DEPOSIT_EXAMPLES: ExampleTable = {
  createDepositAddress: {
    paidOn: {
      summary: 'What comes is paid on to a bank account',
      request: ORDER,
      status: 201,
      answer: ACTIVE,
    },
  },
  listDepositAddresses: { page: { summary: 'One address', status: 200, answer: onlyPage(ACTIVE) } },
  getDepositAddress: { active: { summary: 'It takes deposits', status: 200, answer: ACTIVE } },
  disableDepositAddress: {
    disabled: {
      summary: 'What comes stays in the balance from now on',
      status: 200,
      answer: DISABLED,
    },
  },
  listDeposits: { page: { summary: 'One deposit', status: 200, answer: onlyPage(FINAL) } },
  getDeposit: {
    final: {
      summary: 'It cannot be undone, and was not paid on',
      status: 200,
      answer: FINAL,
    },
  },
  refundDeposit: {
    part: {
      summary: 'To a wallet',
      request: REFUND,
      status: 201,
      answer: refundOf('100.000000'),
    },
  },
  createSandboxTokenDeposit: {
    sent: { summary: 'Tokens are sent', request: SEND, status: 202, answer: SENT },
  },
};
