import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { isChecksummed } from '../../domain/onchain/address.ts';
import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import { isStablecoin } from '../../domain/money/currencies.ts';
import { parseAmount } from '../../domain/money/amount.ts';
import { shapeProblems } from './shape-problems.ts';

const closed = { additionalProperties: false } as const;
const Path = Type.String({ minLength: 1 });

/** What every key of the file says. */
const held = {
  address: Type.String({ pattern: '^0x[0-9a-fA-F]{40}$' }),
  networks: Type.Array(Type.Enum([...NETWORKS]), { minItems: 1, uniqueItems: true }),
};

const LocalKey = Type.Object(
  {
    ...held,
    kind: Type.Literal('LOCAL'),
    sealed: Type.String({ pattern: '^[A-Za-z0-9+/=]{80,100}$' }),
  },
  closed,
);
const KmsKey = Type.Object(
  {
    ...held,
    kind: Type.Literal('AWS_KMS'),
    keyId: Type.String({ minLength: 1, maxLength: 2_048 }),
    region: Type.String({ pattern: '^[a-z0-9-]{1,30}$' }),
    endpoint: Type.Optional(Type.String()),
  },
  closed,
);
const Web3signerKey = Type.Object(
  {
    ...held,
    kind: Type.Literal('WEB3SIGNER'),
    url: Type.String(),
    clientCertFile: Type.Optional(Path),
    clientKeyFile: Type.Optional(Path),
    caFile: Type.Optional(Path),
  },
  closed,
);

const Limits = Type.Object(
  {
    network: Type.Enum([...NETWORKS]),
    /** By asset, in its major units. */
    hourMax: Type.Record(Type.String(), Type.String()),
    /** Without effect: the release before needs them, and both may read one file. */
    topUpMax: Type.Optional(Type.Unknown()),
    topUpHourMax: Type.Optional(Type.Unknown()),
  },
  closed,
);

const SignersFile = Type.Object(
  {
    keys: Type.Array(Type.Union([LocalKey, KmsKey, Web3signerKey]), { maxItems: 1_000 }),
    limits: Type.Array(Limits, { maxItems: NETWORKS.length }),
  },
  closed,
);

/** Whose hot addresses are, and what an hour may spend on each network: docs/how-to/operate-networks.md. */
export type SignersFile = Static<typeof SignersFile>;
export type HeldKey = SignersFile['keys'][number];
export type SigningLimits = SignersFile['limits'][number];

type ReadSigners =
  | { readonly ok: true; readonly file: SignersFile }
  | { readonly ok: false; readonly lines: readonly string[] };

/** Reads the JSON of CHAIN_SIGNERS_FILE, or gives a line for everything that is wrong. */
export function readSignersFile(json: unknown): ReadSigners {
  const read = readSignersShape(json);
  if (!read.ok) return read;
  const { file } = read;
  const lines = [...file.keys.flatMap(keyProblems), ...repeatedKeys(file), ...limitProblems(file)];
  return lines.length === 0 ? read : { ok: false, lines };
}

/** The same of a file that is not complete yet: only what does not fit its shape is wrong. */
export function readSignersShape(json: unknown): ReadSigners {
  return Value.Check(SignersFile, json)
    ? { ok: true, file: json }
    : { ok: false, lines: shapeProblems(SignersFile, json) };
}

/** The networks that keys are for and `limits` has no row of: nothing is signed there. */
export function unlimitedNetworks({ keys, limits }: SignersFile): readonly Network[] {
  const limited = limits.map(({ network }) => network);
  const isNeeded = (network: Network) => keys.some(({ networks }) => networks.includes(network));
  return NETWORKS.filter((network) => isNeeded(network) && !limited.includes(network));
}

function repeatedKeys({ keys }: SignersFile): string[] {
  const addresses = keys.map(({ address }) => address.toLowerCase());
  return addresses.flatMap((address, index) =>
    addresses.indexOf(address) === index
      ? []
      : [`row ${String(index + 1)} of keys: its address is there before`],
  );
}

function keyProblems(key: HeldKey, index: number): string[] {
  const row = `row ${String(index + 1)} of keys:`;
  const lines: string[] = [];
  if (!isChecksummed(key.address))
    lines.push(`${row} address must be in mixed case with the checksum of EIP-55`);
  const url =
    key.kind === 'WEB3SIGNER' ? key.url : key.kind === 'AWS_KMS' ? key.endpoint : undefined;
  if (url !== undefined && !isSafeUrl(url)) {
    const field = key.kind === 'WEB3SIGNER' ? 'url' : 'endpoint';
    lines.push(
      `${row} ${field} must begin with https://, or http:// on this machine, without login, query or slash at the end`,
    );
  }
  if (key.kind === 'WEB3SIGNER') {
    const areBoth = (key.clientCertFile === undefined) === (key.clientKeyFile === undefined);
    if (!areBoth) lines.push(`${row} clientCertFile and clientKeyFile go together`);
  }
  return lines;
}

const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

function isSafeUrl(text: string): boolean {
  if (!URL.canParse(text) || text.endsWith('/')) return false;
  const { protocol, hostname, username, password, search, hash } = new URL(text);
  const isAlone = [username, password, search, hash].every((part) => part === '');
  return isAlone && (protocol === 'https:' || (protocol === 'http:' && LOOPBACK.test(hostname)));
}

function limitProblems(file: SignersFile): string[] {
  const { limits } = file;
  const lines = limits.flatMap(({ network, hourMax }, index) => {
    const row = `row ${String(index + 1)} of limits:`;
    const isRepeated = limits.findIndex((other) => other.network === network) !== index;
    const isWrong = Object.entries(hourMax).some(
      ([asset, amount]) => !isStablecoin(asset) || !parseAmount(amount, asset).ok,
    );
    return [
      ...(isRepeated ? [`${row} its network is there before`] : []),
      ...(isWrong ? [`${row} hourMax must be amounts by asset, as {"USDC": "50000.00"}`] : []),
    ];
  });
  const missing = unlimitedNetworks(file).map((network) => `limits must have a row of ${network}`);
  return [...lines, ...missing];
}
