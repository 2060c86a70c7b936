import { publicKeyToAddress } from 'viem/accounts';
import { bytesToHex, hexToBigInt } from 'viem/utils';
import { request, type Dispatcher } from 'undici';
import { SignerSilent, SigningRefused } from '../../../domain/onchain/signer.ts';
import type { KeyStore } from './key-store.ts';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 256 * 1024;

/** A point of secp256k1 without compression, with or without its first byte 04. */
const PUBLIC_KEY = /^0x(?:04)?([0-9a-f]{128})$/;
/** r, s and v; v is not believed, so it is not read. */
const SIGNATURE = /^0x([0-9a-f]{64})([0-9a-f]{64})[0-9a-f]{2}$/;

interface Web3signerKeyStoreOptions {
  /** Without a slash at the end. */
  readonly url: string;
  /** The signer account's. */
  readonly address: string;
  /** Milliseconds until the last byte of an answer. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * A key that a web3signer holds: `GET /api/v1/eth1/publicKeys` once, to find the signer account's key among its
 * own, then `POST /api/v1/eth1/sign/{publicKey}` with the unsigned bytes, which it hashes itself.
 */
export function createWeb3signerKeyStore(options: Web3signerKeyStoreOptions): KeyStore {
  const { url, address, timeoutMs = TIMEOUT_MS, dispatcher } = options;
  let found: string | undefined;

  async function call(method: 'GET' | 'POST', path: string, body?: object): Promise<string> {
    try {
      const answer = await request(`${url}${path}`, {
        method,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json, text/plain', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await readText(answer.body);
      if (answer.statusCode === 200) return text;
      throw new SignerSilent(`web3signer answered ${String(answer.statusCode)}`);
    } catch (error) {
      if (error instanceof SignerSilent) throw error;
      throw new SignerSilent('web3signer did not answer');
    }
  }

  async function findKey(): Promise<string> {
    const keys = readKeys(await call('GET', '/api/v1/eth1/publicKeys'));
    const own = keys.find((key) => publicKeyToAddress(key) === address);
    if (own === undefined) throw new SigningRefused('OTHER_KEY');
    // As it lists them, without the 04 that a point begins with elsewhere.
    return `0x${own.slice('0x04'.length)}`;
  }

  return {
    async sign(unsigned) {
      found ??= await findKey();
      const body = { data: bytesToHex(unsigned) };
      const text = await call('POST', `/api/v1/eth1/sign/${found}`, body);
      const [, r, s] = SIGNATURE.exec(unquoted(text)) ?? [];
      if (r === undefined || s === undefined) throw new SigningRefused('BAD_SIGNATURE');
      return { r: hexToBigInt(`0x${r}`), s: hexToBigInt(`0x${s}`) };
    },
  };
}

/** Keys that are none of secp256k1 are another chain's. Throws SignerSilent for what is no list. */
function readKeys(text: string): `0x${string}`[] {
  let list: unknown;
  try {
    list = JSON.parse(text);
  } catch {
    list = null;
  }
  if (!Array.isArray(list)) throw new SignerSilent('web3signer listed no public keys');
  return list.flatMap((key) => {
    const [, point] = PUBLIC_KEY.exec(typeof key === 'string' ? key.toLowerCase() : '') ?? [];
    return point === undefined ? [] : [`0x04${point}` as const];
  });
}

/** Answered as plain text, or as JSON by a proxy. */
const unquoted = (text: string): string =>
  text
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .toLowerCase();

async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, so no more than one chunk beyond the limit is ever held.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new SignerSilent('web3signer answered too much');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}
