import { privateKeyToAccount, sign } from 'viem/accounts';
import { bytesToHex } from 'viem/utils';
import { startKmsServer, type KmsServer } from '../kms/kms-server.ts';

const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
const KEY_HEAD = '3056301006072a8648ce3d020106052b8104000a034200';

/** How the next signatures come. */
export type KmsMood = 'LOW_S' | 'HIGH_S' | 'GARBAGE' | 'NOTHING' | 'DENIED' | 'BROKEN' | 'SILENT';

/** AWS KMS with one key that signs digests as they are. */
export interface KmsDouble extends KmsServer {
  mood: KmsMood;
  /** Signs with this key from now on; the public key that is told stays. */
  signingKey: Buffer;
}

/** Starts it. The key's id is not looked at: there is one key. */
export async function startKmsDouble(key: Buffer, publicKeyHead = KEY_HEAD): Promise<KmsDouble> {
  const { publicKey } = privateKeyToAccount(bytesToHex(key));
  const spki = Buffer.from(publicKeyHead + publicKey.slice('0x'.length), 'hex');
  const server = await startKmsServer(async (operation, { Message, MessageType }) => {
    const refuse = (status: number, __type: string) => ({ status, body: { __type } });
    if (operation === 'GetPublicKey') {
      const body = { KeySpec: 'ECC_SECG_P256K1', PublicKey: spki.toString('base64') };
      return { status: 200, body };
    }
    if (MessageType !== 'DIGEST') return refuse(400, 'ValidationException');
    if (double.mood === 'DENIED') return refuse(400, 'AccessDeniedException');
    if (double.mood === 'BROKEN') return refuse(500, 'planted-in-a-type');
    if (double.mood === 'SILENT') return null;
    const digest = Buffer.from(String(Message), 'base64');
    const signature = await signAs(double.mood, double.signingKey, digest);
    const body = { ...(signature && { Signature: signature.toString('base64') }) };
    return { status: 200, body };
  });
  const double: KmsDouble = { ...server, mood: 'LOW_S', signingKey: key };
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
