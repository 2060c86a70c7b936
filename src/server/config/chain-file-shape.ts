import { Type } from 'typebox';
import { NETWORKS } from '../../domain/onchain/network.ts';
import { NOT_FINAL_LIMITS } from '../../domain/onchain/nonce-slots.ts';
import { NETWORK_STATUSES } from '../../domain/onchain/network-setup.ts';
import { stablecoinCodes } from '../../domain/money/currencies.ts';

const closed = { additionalProperties: false } as const;

const AddressText = Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' });
/** Wei per gas: a bound of 10^15 keeps a slip of the pen from emptying a hot address. */
const Wei = Type.String({ pattern: '^[1-9][0-9]{0,14}$' });
const DepthRow = Type.Union([
  Type.Object({ blocks: Type.Integer({ minimum: 1, maximum: 10_000 }) }, closed),
  Type.Object({ tag: Type.Enum(['safe', 'finalized'] as const) }, closed),
]);

const NetworkRow = Type.Object(
  {
    network: Type.Enum(NETWORKS),
    status: Type.Optional(Type.Enum(NETWORK_STATUSES)),
    chainId: Type.Integer({ minimum: 1, maximum: 2 ** 31 - 1 }),
    genesis: Type.Optional(Type.String({ pattern: '^0x[0-9a-f]{64}$' })),
    rpcUrls: Type.Array(Type.String({ maxLength: 2_000 }), { minItems: 1, maxItems: 2 }),
    assets: Type.Array(
      Type.Object(
        {
          asset: Type.Enum(stablecoinCodes()),
          contract: AddressText,
          min: Type.String(),
          max: Type.String(),
        },
        closed,
      ),
      { minItems: 1, maxItems: 10 },
    ),
    depths: Type.Optional(
      Type.Object({ credit: DepthRow, creditAbove: DepthRow, final: DepthRow }, closed),
    ),
    notFinalMax: Type.Optional(Type.Integer(NOT_FINAL_LIMITS)),
    hotAddresses: Type.Array(AddressText, { minItems: 1, maxItems: 64 }),
    gasCaps: Type.Object({ maxFeePerGas: Wei, maxPriorityFeePerGas: Wei }, closed),
    factory: AddressText,
    treasury: AddressText,
    depositFloors: Type.Optional(Type.Record(Type.String(), Type.String())),
    sweeps: Type.Optional(
      Type.Object(
        {
          floors: Type.Record(Type.String(), Type.String()),
          maxFeePerGas: Wei,
          coinPrices: Type.Optional(Type.Record(Type.String(), Type.String())),
        },
        closed,
      ),
    ),
    /** Without effect: the release before reads it, and both may read one file. */
    topUps: Type.Optional(Type.Unknown()),
    hot: Type.Optional(
      Type.Record(Type.String(), Type.Object({ floor: Type.String(), cap: Type.String() }, closed)),
    ),
  },
  closed,
);

/** The shape of NETWORKS_FILE. */
export const ChainFile = Type.Object(
  { networks: Type.Array(NetworkRow, { maxItems: NETWORKS.length }) },
  closed,
);

/** A network as the file has it, of the right shape. */
export type NetworkRow = Type.Static<typeof NetworkRow>;
