import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { readAddress } from '../../domain/onchain/address.ts';
import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import type {
  AddressVerdict,
  AskAddress,
} from '../../domain/parties/screening/address-screening.ts';
import { ScreeningError } from '../../domain/parties/screening/screening-provider.ts';
import { UnusableList } from './list-file.ts';

const AddressFile = Type.Object({
  addresses: Type.Array(
    Type.Object({
      address: Type.String(),
      networks: Type.Optional(Type.Array(Type.Enum(NETWORKS), { minItems: 1 })),
      verdict: Type.Enum(['REVIEW', 'BLOCKED'] as const),
      id: Type.Optional(Type.String({ pattern: '^[\\x21-\\x7e]{1,200}$' })),
    }),
  ),
});

/** Larger than every published list; a file is held in memory. */
const BYTES_MAX = 64 * 1024 * 1024;

interface Entry {
  readonly networks: readonly Network[];
  readonly verdict: AddressVerdict;
  readonly id?: string;
}

interface Loaded {
  readonly version: string;
  readonly entries: ReadonlyMap<string, readonly Entry[]>;
}

interface FileAddressesOptions {
  /** The file of addresses. */
  readonly path: string;
  /** Told of a file that has changed and cannot be used: nothing is cleared until it can. */
  readonly onUnusable: (error: unknown) => void;
}

/**
 * Looks addresses up in a file, which is read again when it has changed. Throws where the file cannot be
 * used at the start. Later look-ups then throw SCREENING_LIST_UNUSABLE: an older list clears no address.
 */
export function createFileAddresses({ path, onUnusable }: FileAddressesOptions): AskAddress {
  let mark = markOf(path);
  let loaded: Loaded | null = readAddresses(readFileSync(path));

  /** The list in the file as it is now; null where that cannot be used. */
  function current(): Loaded | null {
    let found = 'missing';
    try {
      found = markOf(path);
      if (found !== mark) loaded = readAddresses(readFileSync(path));
    } catch (error) {
      // Once for each such file.
      if (found !== mark) onUnusable(error);
      loaded = null;
    }
    mark = found;
    return loaded;
  }

  return ({ network, address }) => {
    const list = current();
    if (list === null) return Promise.reject(new ScreeningError('SCREENING_LIST_UNUSABLE'));
    const entries = (list.entries.get(address) ?? []).filter(({ networks }) =>
      networks.includes(network),
    );
    const verdict = gravest(entries.map((entry) => entry.verdict));
    const match = matchOf(entries.filter((entry) => entry.verdict === verdict));
    return Promise.resolve({ verdict, listVersion: list.version, ...(match && { match }) });
  };
}

const gravest = (verdicts: readonly AddressVerdict[]): AddressVerdict =>
  (['BLOCKED', 'REVIEW'] as const).find((verdict) => verdicts.includes(verdict)) ?? 'CLEAR';

/** The entry's id, where one entry alone has the verdict: what was released is one entry. */
const matchOf = ([entry, ...others]: readonly Entry[]): string | null =>
  others.length === 0 ? (entry?.id ?? null) : null;

/** Reads a list of addresses: see docs/reference/screening.md. Throws UnusableList. */
function readAddresses(bytes: Uint8Array): Loaded {
  let content: unknown;
  try {
    content = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw new UnusableList('it is no JSON in UTF-8');
  }
  if (!Value.Check(AddressFile, content)) {
    const [problem] = Value.Errors(AddressFile, content);
    throw new UnusableList(`${problem?.instancePath ?? ''} is not as agreed`);
  }
  // An empty file is what a broken download leaves; it must not clear every address.
  if (content.addresses.length === 0) throw new UnusableList('it has no address');
  const entries = new Map<string, Entry[]>();
  for (const [at, { address: text, networks = NETWORKS, ...rest }] of content.addresses.entries()) {
    const read = readAddress(text);
    if (!read.ok) throw new UnusableList(`/addresses/${String(at)}/address is not as agreed`);
    entries.set(read.address, [...(entries.get(read.address) ?? []), { networks, ...rest }]);
  }
  return { version: `sha256:${createHash('sha256').update(bytes).digest('hex')}`, entries };
}

/** Tells whether the file is another one. */
function markOf(path: string): string {
  const { mtimeMs, size, ino } = statSync(path);
  if (size > BYTES_MAX) throw new RangeError('The list of addresses is larger than 64 MiB.');
  return `${String(mtimeMs)}/${String(size)}/${String(ino)}`;
}
