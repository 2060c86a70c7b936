import { Type } from 'typebox';
import { WALLET_OWNERSHIPS, WALLET_STATUSES } from '../../db/parties/wallet-store.ts';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { NullableTimestamp, Timestamp } from './common.ts';
import { CountryCode, PlainText } from './person.ts';

const SAMPLE_ADDRESS = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';

export const WalletStatus = Type.Enum(WALLET_STATUSES, {
  type: 'string',
  description:
    'Only an ACTIVE wallet can be paid to. PENDING: its address is not cleared yet. REJECTED: the address is on a list of addresses.',
  examples: ['ACTIVE'],
});

const Ownership = Type.Enum(WALLET_OWNERSHIPS, {
  type: 'string',
  description: 'Whether its owner has the key, or a provider keeps it for them.',
  examples: ['SELF_HOSTED'],
});

const Vasp = Type.Object(
  {
    name: PlainText(140, "The provider's name.", 'Sample Exchange Ltd'),
    country: CountryCode('Where the provider is, ISO 3166-1 alpha-2.'),
  },
  {
    title: 'Vasp',
    additionalProperties: false,
    description: 'The provider that keeps a HOSTED wallet for its owner.',
  },
);

export const NewWallet = Type.Object(
  {
    endUserId: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'Whose wallet it is. Left out: your own.',
        examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'],
      }),
    ),
    network: Type.String({
      pattern: '^[A-Z]{2,20}$',
      'x-error': { pattern: 'unsupported_network' },
      description: `One of GET /networks: ${NETWORKS.join(', ')}.`,
      examples: ['BASE'],
    }),
    address: Type.String({
      minLength: 1,
      maxLength: 100,
      description:
        'The address: `0x` and 40 hexadecimal digits, all in lower or all in upper case, or with the checksum of EIP-55. Neither zero, built into a network, a token nor one of ours.',
      examples: [SAMPLE_ADDRESS],
    }),
    ownership: Ownership,
    vasp: Type.Optional(Vasp),
  },
  {
    title: 'NewWallet',
    additionalProperties: false,
    description: 'A wallet to pay to. Cannot be changed later. HOSTED needs `vasp`.',
  },
);

export const Wallet = Type.Object(
  {
    id: Type.String({ examples: ['wal_01k6b7q0e8f1htx9n3r5p7v2ab'] }),
    endUserId: Type.Union([Type.String(), Type.Null()], {
      description: 'Whose wallet it is; null: your own.',
      examples: ['eu_01k6b7q0e8f1htx9n3r5p7v2ab'],
    }),
    network: Type.Enum(NETWORKS, { type: 'string', examples: ['BASE'] }),
    address: Type.String({
      description: "With EIP-55's checksum. `****` where the end-user was erased.",
      examples: [SAMPLE_ADDRESS],
    }),
    ownership: Ownership,
    vasp: Type.Union(
      [
        Type.Object({ name: Type.String(), country: Type.String() }, { title: 'WalletVasp' }),
        Type.Null(),
      ],
      { description: 'Who keeps a HOSTED wallet; null for SELF_HOSTED.' },
    ),
    status: WalletStatus,
    proof: Type.Union(
      [
        Type.Object(
          {
            message: Type.String({
              description: 'To be signed with the key of the wallet (EIP-191, `personal_sign`).',
            }),
          },
          { title: 'WalletProof' },
        ),
        Type.Null(),
      ],
      { description: 'What shows whose the wallet is; null where there is nothing to show.' },
    ),
    provedAt: NullableTimestamp('When a signature showed whose it is.'),
    version: Type.Integer({ minimum: 1, description: 'Goes up by one with every change.' }),
    createdAt: Timestamp('When it was registered.'),
    updatedAt: Timestamp('When it last changed.'),
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
        'Over `proof.message`: 65 bytes of r, s and v of a key (EIP-191), or what the contract at the address takes for its own (ERC-1271).',
      examples: [`0x${'1b'.repeat(65)}`],
    }),
  },
  { title: 'NewProof', additionalProperties: false, description: 'A signature of the wallet.' },
);
