import type { Static } from 'typebox';
import { proofMessage } from '../../domain/onchain/wallet-proof.ts';
import type { NewProof, NewWallet, Wallet } from '../schemas/wallet.ts';
import {
  EXAMPLE_ADDRESS,
  exampleId,
  exampleTime,
  onlyPage,
  type ExampleTable,
} from './operation-example.ts';

const ORDER = {
  endUserId: exampleId('eu'),
  network: 'BASE',
  address: EXAMPLE_ADDRESS,
  ownership: 'SELF_HOSTED',
} as const satisfies Static<typeof NewWallet>;

const HOSTED_ORDER = {
  ...ORDER,
  ownership: 'HOSTED',
  vasp: { name: 'Sample Exchange Ltd', country: 'DE' },
} as const satisfies Static<typeof NewWallet>;

const ACTIVE: Static<typeof Wallet> = {
  ...ORDER,
  id: exampleId('wal'),
  vasp: null,
  status: 'ACTIVE',
  proof: {
    message: proofMessage({
      host: 'payouts.example.com',
      walletId: exampleId('wal'),
      network: 'BASE',
      address: EXAMPLE_ADDRESS,
      nonce: 'sample-nonce',
    }),
  },
  provedAt: null,
  version: 1,
  createdAt: exampleTime('12:06:00'),
  updatedAt: exampleTime('12:06:00'),
};

const HOSTED: Static<typeof Wallet> = { ...ACTIVE, ...HOSTED_ORDER, proof: null };

const PROVED: Static<typeof Wallet> = {
  ...ACTIVE,
  proof: null,
  provedAt: exampleTime('12:08:00'),
  version: 2,
  updatedAt: exampleTime('12:08:00'),
};

const DISABLED: Static<typeof Wallet> = {
  ...PROVED,
  status: 'DISABLED',
  version: 3,
  updatedAt: exampleTime('12:40:00'),
};

const SIGNATURE: Static<typeof NewProof> = { signature: `0x${'1b'.repeat(65)}` };

export const WALLET_EXAMPLES: ExampleTable = {
  createWallet: {
    selfHosted: {
      summary: 'Its owner has the key',
      request: ORDER,
      status: 201,
      answer: ACTIVE,
    },
    hosted: {
      summary: 'A provider keeps it',
      request: HOSTED_ORDER,
      status: 201,
      answer: HOSTED,
    },
    known: {
      summary: 'The end-user has this wallet already',
      request: ORDER,
      status: 200,
      answer: ACTIVE,
    },
  },
  listWallets: { page: { summary: 'One wallet', status: 200, answer: onlyPage(ACTIVE) } },
  getWallet: { active: { summary: 'It can be paid to', status: 200, answer: ACTIVE } },
  verifyWallet: {
    proved: {
      summary: 'The key of the wallet signed',
      request: SIGNATURE,
      status: 200,
      answer: PROVED,
    },
  },
  disableWallet: { disabled: { summary: 'No longer paid to', status: 200, answer: DISABLED } },
};
