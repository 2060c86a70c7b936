import { Type } from 'typebox';
import { WALLET_OWNERSHIPS, WALLET_STATUSES } from '../../db/parties/wallet-store.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { NullableTimestamp, Timestamp } from './common.ts';
import { CountryCode, PlainText } from './person.ts';

const SAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export const WalletStatus = Type.Enum(WALLET_STATUSES, {
  title: 'WalletStatus',
  type: 'string',
  description:
    'The status of the wallet. You can pay to an ACTIVE wallet only. PENDING: the screening of the address is not complete. REJECTED: the address is on a sanctions list.',
  examples: ['ACTIVE'],
});

const Ownership = Type.Enum(WALLET_OWNERSHIPS, {
  title: 'WalletOwnership',
  type: 'string',
  description: 'Who controls the key. SELF_HOSTED: the owner. HOSTED: a provider.',
  examples: ['SELF_HOSTED'],
});

const Vasp = Type.Object(
  {
    name: PlainText(140, 'The name of the provider.', 'Sample Exchange Ltd'),
    country: CountryCode('The country of the provider, as a two-letter ISO 3166-1 code.'),
  },
  {
    title: 'Vasp',
    additionalProperties: false,
    description: 'The provider of a HOSTED wallet.',
  },
);

export const NewWallet = Type.Object(
  {
    endUserId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The id of the end-user who owns the wallet. Default: your own company.',
        examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'],
      }),
    ),
    network: Type.String({
      pattern: '^[A-Z]{2,20}$',
      'x-error': { pattern: 'unsupported_network' },
      description: `The network of the wallet, one that \`GET /networks\` lists: ${NETWORKS.join(', ')}.`,
      examples: ['BASE'],
    }),
    address: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The address: `0x` and 40 hexadecimal digits, all lowercase, all uppercase, or with an EIP-55 checksum. It must not be the zero address, a precompiled contract, a token contract, or an address of the service.',
      examples: [SAMPLE_ADDRESS],
    }),
    ownership: Ownership,
    vasp: Type.Optional(Vasp),
  },
  {
    title: 'NewWallet',
    additionalProperties: false,
    description: 'A wallet to pay to. You cannot change it later. A HOSTED wallet requires `vasp`.',
  },
);

export const Wallet = Type.Object(
  {
    id: Type.String({ examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: Type.Union([Type.String(), Type.Null()], {
      description:
        'The id of the end-user who owns the wallet. Null for a wallet of your own company.',
      examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    network: Type.Enum(NETWORKS, { title: 'NetworkName', type: 'string', examples: ['BASE'] }),
    address: Type.String({
      description: 'The address with its EIP-55 checksum. `****` if the end-user was erased.',
      examples: [SAMPLE_ADDRESS],
    }),
    ownership: Ownership,
    vasp: Type.Union(
      [
        Type.Object({ name: Type.String(), country: Type.String() }, { title: 'WalletVasp' }),
        Type.Null(),
      ],
      { description: 'The provider of a HOSTED wallet. Null for a SELF_HOSTED wallet.' },
    ),
    status: WalletStatus,
    proof: Type.Union(
      [
        Type.Object(
          {
            message: Type.String({
              description:
                'The message to sign with the key of the wallet (EIP-191, `personal_sign`).',
            }),
          },
          { title: 'WalletProof' },
        ),
        Type.Null(),
      ],
      { description: 'The proof of ownership. Null if the wallet needs no proof.' },
    ),
    provedAt: NullableTimestamp(
      'The time at which a signature proved the ownership. Null before that.',
    ),
    version: Type.Integer({
      minimum: 1,
      description: 'The version of the resource. It increases by one with every change.',
    }),
    createdAt: Timestamp('The time at which the resource was created.'),
    updatedAt: Timestamp('The time of the last change.'),
  },
  { title: 'Wallet', additionalProperties: false, description: 'A wallet to pay to.' },
);

export const NewProof = Type.Object(
  {
    signature: Type.String({
      // 2048 bytes at most; the bound is not in the pattern, as RE2 repeats no more than 1000 times.
      pattern: '^0x([0-9a-fA-F]{2})+$',
      maxLength: 4_098,
      description:
        'The signature of `proof.message`, as `0x` and hexadecimal digits: 65 bytes (r, s, and v) for a key (EIP-191), or the signature that the contract at the address accepts (ERC-1271).',
      examples: [`0x${'1b'.repeat(65)}`],
    }),
  },
  {
    title: 'NewProof',
    additionalProperties: false,
    description: 'A signature that proves the ownership of a wallet.',
  },
);
