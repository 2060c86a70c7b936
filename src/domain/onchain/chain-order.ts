import { isChecksummed } from './address.ts';

/** What the chain rail is asked to do, as it is committed before it is taken. */
export interface ChainOrder {
  /** The payment's own reference of the attempt. */
  readonly reference: string;
  readonly network: string;
  /** USDC, EURC or USDT. */
  readonly asset: string;
  /** The asset's contract, and who receives it, in EIP-55's mixed case. */
  readonly contract: string;
  readonly to: string;
  /** Minor units of the token. */
  readonly amount: bigint;
}

/** The order's bytes: the same order gives the same ones. */
export function encodeChainOrder(order: ChainOrder): Uint8Array {
  const { reference, network, asset, contract, to, amount } = order;
  const fields = { reference, network, asset, contract, to, amount: amount.toString() };
  return new TextEncoder().encode(JSON.stringify(fields));
}

/** The order that the bytes are; null unless `encodeChainOrder` gives exactly these bytes for it. */
export function decodeChainOrder(body: Uint8Array): ChainOrder | null {
  const text = new TextDecoder().decode(body);
  const order = readOrder(parsed(text));
  if (order === null) return null;
  return new TextDecoder().decode(encodeChainOrder(order)) === text ? order : null;
}

const AMOUNT = /^[1-9][0-9]{0,17}$/;

function readOrder(given: unknown): ChainOrder | null {
  if (typeof given !== 'object' || given === null) return null;
  const { reference, network, asset, contract, to, amount } = given as Record<string, unknown>;
  const isText = [reference, network, asset].every((one) => typeof one === 'string');
  if (!isText || !isOurAddress(contract) || !isOurAddress(to)) return null;
  if (typeof amount !== 'string' || !AMOUNT.test(amount)) return null;
  return {
    ...({ reference, network, asset } as Pick<ChainOrder, 'reference' | 'network' | 'asset'>),
    ...{ contract, to, amount: BigInt(amount) },
  };
}

const isOurAddress = (given: unknown): given is string =>
  typeof given === 'string' && isChecksummed(given);

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
