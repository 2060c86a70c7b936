import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { bytesToHex, hexToBytes, keccak256 } from 'viem/utils';

/** What it answers to a wish to sign, instead of what it should. */
export type Web3signerMood =
  | { readonly kind: 'RIGHT' | 'SILENT' | 'ENDLESS' }
  | { readonly kind: 'SAYS'; readonly status: number; readonly text: string };

/** A web3signer as its OpenAPI description has it: the keys it lists, and signatures by the first one. */
export interface Web3signerDouble {
  readonly url: string;
  mood: Web3signerMood;
  /** What `publicKeys` answers. */
  list: string;
  /** Signs with this key from now on; what is listed stays. */
  signingKey: Buffer;
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** The public key as web3signer lists it: 64 bytes, without the 04 before them. */
export function publicKeyOf(key: Buffer): string {
  return `0x${privateKeyToAccount(bytesToHex(key)).publicKey.slice('0x04'.length)}`;
}

export async function startWeb3signerDouble(key: Buffer): Promise<Web3signerDouble> {
  const asked: string[] = [];
  const signPath = `/api/v1/eth1/sign/${publicKeyOf(key)}`;
  const server = createServer((request, response) => {
    asked.push(`${String(request.method)} ${String(request.url)}`);
    if (request.url === '/api/v1/eth1/publicKeys') {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(double.list);
      return;
    }
    void json(request).then(async (body) => {
      const { mood } = double;
      if (mood.kind === 'SILENT') return;
      if (mood.kind === 'ENDLESS') {
        response.on('drain', () => response.write('0'.repeat(65_536)));
        response.write('0'.repeat(65_536));
        return;
      }
      if (mood.kind === 'SAYS') {
        response.writeHead(mood.status, { 'content-type': 'text/plain; charset=utf-8' });
        response.end(mood.text);
        return;
      }
      if (request.url !== signPath) {
        response.writeHead(404).end();
        return;
      }
      const { data } = body as { readonly data: `0x${string}` };
      response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' });
      response.end(await signatureOf(double.signingKey, hexToBytes(data)));
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const double: Web3signerDouble = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    mood: { kind: 'RIGHT' },
    list: JSON.stringify([publicKeyOf(key)]),
    signingKey: key,
    asked,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
  return double;
}

/** It hashes the data itself. */
const signatureOf = (key: Buffer, data: Uint8Array): Promise<string> =>
  sign({ hash: keccak256(data), privateKey: bytesToHex(key), to: 'hex' });
