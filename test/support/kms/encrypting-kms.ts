import { randomBytes } from 'node:crypto';
import { openUnder, sealUnder } from '../../../src/vault/sealing.ts';
import { startKmsServer, type KmsServer } from './kms-server.ts';

type Context = Readonly<Record<string, string>>;

export interface EncryptingKms extends KmsServer {
  mood: 'RIGHT' | 'DENIED' | 'BROKEN' | 'SILENT';
  /** What `aws kms encrypt` prints for the bytes and the encryption context, in base64. */
  encrypt(plain: Uint8Array, context: Context): string;
}

const rowOf = (context: unknown): string =>
  JSON.stringify(Object.entries((context ?? {}) as Context).toSorted());

/** AWS KMS with one symmetric key, which decrypts what it has encrypted with the same encryption context. */
export async function startEncryptingKms(): Promise<EncryptingKms> {
  const key = randomBytes(32);
  const decrypt = ({
    CiphertextBlob: blob,
    EncryptionContext: context,
  }: Record<string, unknown>) => {
    try {
      return openUnder(key, Buffer.from(String(blob), 'base64'), rowOf(context));
    } catch {
      return null;
    }
  };
  const server = await startKmsServer((operation, body) => {
    const refuse = (status: number, __type: string) =>
      Promise.resolve({ status, body: { __type } });
    if (kms.mood === 'SILENT') return Promise.resolve(null);
    if (kms.mood === 'DENIED') return refuse(400, 'AccessDeniedException');
    if (kms.mood === 'BROKEN') return refuse(500, 'planted-in-a-type');
    if (operation !== 'Decrypt') return refuse(400, 'ValidationException');
    const plain = decrypt(body);
    if (plain === null) return refuse(400, 'InvalidCiphertextException');
    const Plaintext = plain.toString('base64');
    return Promise.resolve({ status: 200, body: { KeyId: 'the only key', Plaintext } });
  });
  const kms: EncryptingKms = {
    ...server,
    mood: 'RIGHT',
    encrypt: (plain, context) => sealUnder(key, 0, plain, rowOf(context)).toString('base64'),
  };
  return kms;
}
