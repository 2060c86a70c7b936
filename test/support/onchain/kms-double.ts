import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import { privateKeyToAccount, sign } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const KEY_HEAD = '3056301006072a8648ce3d020106052b8104000a034200';

/** How the next signatures come. */
export type KmsMood = 'LOW_S' | 'HIGH_S' | 'GARBAGE' | 'NOTHING' | 'DENIED' | 'BROKEN' | 'SILENT';

/** AWS KMS as its JSON protocol has it, with one key that signs digests as they are. */
export interface KmsDouble {
  readonly url: string;
  mood: KmsMood;
  /** Signs with this key from now on; the public key that is told stays. */
  signingKey: Buffer;
  /** The operations that were asked for, in order. */
  readonly asked: readonly string[];
  close(): Promise<void>;
}

/** Starts it. The key's id is not looked at: there is one key. */
export async function startKmsDouble(key: Buffer, publicKeyHead = KEY_HEAD): Promise<KmsDouble> {
  const { publicKey } = privateKeyToAccount(bytesToHex(key));
  const spki = Buffer.from(publicKeyHead + publicKey.slice('0x'.length), 'hex');
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    const operation = String(request.headers['x-amz-target']).replace('TrentService.', '');
    asked.push(operation);
    const answer = (status: number, body: object) => {
      response.writeHead(status, { 'content-type': 'application/x-amz-json-1.1' });
      response.end(JSON.stringify(body));
    };
    void json(request).then(async (body) => {
      if (operation === 'GetPublicKey') {
        answer(200, { KeySpec: 'ECC_SECG_P256K1', PublicKey: spki.toString('base64') });
        return;
      }
      const { Message, MessageType } = body as Record<string, string>;
      if (MessageType !== 'DIGEST') answer(400, { __type: 'ValidationException' });
      else if (double.mood === 'DENIED') answer(400, { __type: 'AccessDeniedException' });
      else if (double.mood === 'BROKEN') answer(500, { __type: 'planted-in-a-type' });
      else if (double.mood !== 'SILENT') {
        const digest = Buffer.from(Message ?? '', 'base64');
        const signature = await signAs(double.mood, double.signingKey, digest);
        answer(200, { ...(signature && { Signature: signature.toString('base64') }) });
      }
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const double: KmsDouble = {
    url: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    mood: 'LOW_S',
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

async function signAs(mood: KmsMood, key: Buffer, digest: Buffer): Promise<Buffer | null> {
  if (mood === 'NOTHING') return null;
  const signature = await sign({ hash: bytesToHex(digest), privateKey: bytesToHex(key) });
  const low = BigInt(signature.s);
  const der = derSignature(BigInt(signature.r), mood === 'HIGH_S' ? ORDER - low : low);
  return mood === 'GARBAGE' ? Buffer.concat([der, Buffer.from([0])]) : der;
}

/** A sequence of two integers, each with a zero before it where it would be negative. */
export function derSignature(r: bigint, s: bigint): Buffer {
  const integers = [r, s].map((value) => {
    const digits = value.toString(16);
    const bytes = Buffer.from(digits.padStart(digits.length + (digits.length % 2), '0'), 'hex');
    const signed = (bytes[0] ?? 0) >= 0x80 ? Buffer.concat([Buffer.from([0]), bytes]) : bytes;
    return Buffer.concat([Buffer.from([0x02, signed.length]), signed]);
  });
  const body = Buffer.concat(integers);
  return Buffer.concat([Buffer.from([0x30, body.length]), body]);
}
