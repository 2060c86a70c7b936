import { getAddress, isAddress, keccak256, toHex, type Address } from 'viem';
import { NETWORKS, type Network } from '../../domain/onchain/network.ts';
import { formatAmount, magicMinorPart, parseAmount } from '../../domain/money/amount.ts';
import { openJournalFile } from '../journal-file.ts';
import { answerJson, BadInput, NOT_FOUND, type SandboxReply } from '../sandbox-server.ts';
import type { SandboxNetwork } from './sandbox-network.ts';

/** An outside payer pays one of our addresses. */
interface ChainDepositRequest {
  readonly network: Network;
  readonly asset: string;
  readonly to: Address;
  /** Decimal text with the asset's six decimals. */
  readonly amount: string;
  /** Null: the sandbox chooses. */
  readonly from: Address | null;
}

interface DepositFact extends ChainDepositRequest {
  readonly deposit: string;
  readonly txHash: string;
}

export interface ChainDeposits {
  /** Makes a transfer once: again under the same id it answers the same, with another body 409. */
  put(id: string, request: ChainDepositRequest): Promise<SandboxReply>;
  get(id: string): Promise<SandboxReply>;
  close(): Promise<void>;
}

const FIELDS = ['network', 'asset', 'to', 'amount', 'from'];
const ASSETS = ['USDC', 'EURC', 'USDT'];
const ORPHANED_CENTS = 8;
const BLOCKED_CENTS = 9;
const TAKEN = { error: 'deposit_taken', message: 'The ID belongs to a deposit with another body.' };

/** Chosen by the caller that tells the sandbox of a deposit. */
export function isChainDepositId(text: string): boolean {
  return /^[A-Za-z0-9_-]{1,60}$/.test(text);
}

/** Opens the deposits of all networks. The journal is what a restart knows of them. */
export async function openChainDeposits(
  journalFile: string | null,
  find: (network: Network) => SandboxNetwork | undefined,
): Promise<ChainDeposits> {
  const known = new Map<string, DepositFact>();
  const journal = await openJournalFile<DepositFact>(journalFile, (fact) => {
    known.set(fact.deposit, fact);
  });
  const underWay = new Map<string, Promise<DepositFact>>();

  async function make(id: string, request: ChainDepositRequest): Promise<DepositFact> {
    const { network, asset, to, amount } = request;
    const chain = find(network);
    if (chain === undefined) throw new BadInput(422, 'network', 'not one that runs here');
    const minor = minorOf(amount, asset);
    const cents = magicMinorPart(minor, asset);
    const from = request.from ?? payerOf(id, cents === BLOCKED_CENTS ? 'bad1' : 'cafe');
    const fate = cents === ORPHANED_CENTS ? 'ORPHANED' : 'STAYS';
    const txHash = await chain.receive({ asset, from, to, amount: minor, fate });
    const fact = { ...request, deposit: id, txHash };
    known.set(id, fact);
    await journal.append(fact);
    return fact;
  }

  async function describe({ deposit, network, txHash }: DepositFact): Promise<object> {
    const isMined = (await find(network)?.isMined(txHash)) ?? false;
    return { deposit, network, txHash, status: isMined ? 'MINED' : 'ORPHANED' };
  }

  return {
    async put(id, request) {
      const earlier = known.get(id) ?? (await underWay.get(id));
      if (earlier !== undefined) {
        if (!isSame(earlier, request)) return answerJson(409, TAKEN);
        return answerJson(200, await describe(earlier));
      }
      const making = make(id, request);
      underWay.set(id, making);
      try {
        return answerJson(201, await describe(await making));
      } finally {
        underWay.delete(id);
      }
    },
    async get(id) {
      const fact = known.get(id);
      return fact === undefined ? NOT_FOUND : answerJson(200, await describe(fact));
    },
    close: () => journal.close(),
  };
}

/** Reads the body of `PUT /deposits/{id}`. Throws BadInput that names the field. */
export function readChainDeposit(body: unknown): ChainDepositRequest {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new BadInput(400, 'body', 'must be an object');
  }
  const fields = body as Record<string, unknown>;
  const unknown = Object.keys(fields).find((name) => !FIELDS.includes(name));
  if (unknown !== undefined) throw new BadInput(400, unknown.slice(0, 40), 'not a known field');
  const { asset, amount, from = null } = fields;
  const network = NETWORKS.find((one) => one === fields['network']);
  if (network === undefined) throw new BadInput(422, 'network', `one of ${NETWORKS.join(', ')}`);
  if (typeof asset !== 'string' || !ASSETS.includes(asset)) {
    throw new BadInput(422, 'asset', `one of ${ASSETS.join(', ')}`);
  }
  if (typeof amount !== 'string') throw new BadInput(422, 'amount', 'not acceptable');
  return {
    ...{ network, asset, amount: formatAmount(minorOf(amount, asset), asset) },
    to: readAddress('to', fields['to']),
    from: from === null ? null : readAddress('from', from),
  };
}

/**
 * Pays unless a deposit says who does: another address for each, for what is orphaned leaves its nonce
 * unused. Its key does not exist, and the sandbox's list blocks those that end in bad1.
 */
function payerOf(id: string, ending: string): Address {
  const name = keccak256(toHex(`causeway sandbox deposit ${id}`));
  return getAddress(`${name.slice(0, 42 - ending.length)}${ending}`);
}

function readAddress(field: string, value: unknown): Address {
  if (typeof value === 'string' && isAddress(value, { strict: false })) {
    return getAddress(value.toLowerCase());
  }
  throw new BadInput(422, field, 'not an address');
}

function minorOf(amount: string, asset: string): bigint {
  const parsed = parseAmount(amount, asset);
  if (!parsed.ok) throw new BadInput(422, 'amount', 'not acceptable');
  return parsed.minor;
}

function isSame(fact: DepositFact, request: ChainDepositRequest): boolean {
  const { network, asset, to, amount, from } = request;
  const isPlace = fact.network === network && fact.asset === asset && fact.to === to;
  return isPlace && fact.amount === amount && fact.from === from;
}
