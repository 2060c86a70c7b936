import type { KMSClient } from '@aws-sdk/client-kms';
import { publicKeyToAddress } from 'viem/accounts';
import { bytesToHex, hexToBytes } from 'viem/utils';
import { kmsFailure } from '../../../domain/kms-failure.ts';
import { SignerSilent, SigningRefused } from '../../../domain/onchain/signer.ts';
import { transactionHash } from '../../../domain/onchain/transaction.ts';
import { readDerPublicKey, readDerSignature } from './der.ts';
import type { KeyStore } from './key-store.ts';

const TIMEOUT_MS = 5_000;

/** One attempt and one more: what the signer account does next is its own affair. */
const ATTEMPTS = 2;

interface KmsKeyStoreOptions {
  /** The key's id or ARN: KeySpec ECC_SECG_P256K1, KeyUsage SIGN_VERIFY. */
  readonly keyId: string;
  readonly region: string;
  /** Where KMS is reached, unless at the region's public address. */
  readonly endpoint?: string;
  /** The signer account's. */
  readonly address: string;
  /** Milliseconds for one question, retry included. */
  readonly timeoutMs?: number;
}

/**
 * A key that AWS KMS holds. Credentials come from where the SDK looks for them (environment, profile,
 * role). The public key is asked for once, before the first signature, and must be the signer account's.
 */
export function createKmsKeyStore(options: KmsKeyStoreOptions): KeyStore {
  const { keyId, timeoutMs = TIMEOUT_MS } = options;
  let opened: Promise<KMSClient> | undefined;
  const connect = (): Promise<KMSClient> => {
    opened ??= openClient(options, timeoutMs).catch((error: unknown) => {
      opened = undefined;
      throw error;
    });
    return opened;
  };
  return {
    async sign(unsigned) {
      const client = await connect();
      // Loaded only where a key is in KMS: the SDK is large.
      const { SignCommand } = await import('@aws-sdk/client-kms');
      const command = new SignCommand({
        ...{ KeyId: keyId, SigningAlgorithm: 'ECDSA_SHA_256', MessageType: 'DIGEST' },
        Message: hexToBytes(transactionHash(unsigned)),
      });
      const { Signature } = await ask(timeoutMs, (abortSignal) =>
        client.send(command, { abortSignal }),
      );
      const signature = Signature === undefined ? null : readDerSignature(Signature);
      if (signature === null) throw new SigningRefused('BAD_SIGNATURE');
      return signature;
    },
  };
}

async function openClient(
  { keyId, region, endpoint, address }: KmsKeyStoreOptions,
  timeoutMs: number,
): Promise<KMSClient> {
  const { GetPublicKeyCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const client = new KMSClient({ region, endpoint, maxAttempts: ATTEMPTS });
  const answer = await ask(timeoutMs, (abortSignal) =>
    client.send(new GetPublicKeyCommand({ KeyId: keyId }), { abortSignal }),
  );
  const point = answer.PublicKey === undefined ? null : readDerPublicKey(answer.PublicKey);
  if (point === null || publicKeyToAddress(bytesToHex(point)) !== address) {
    client.destroy();
    throw new SigningRefused('OTHER_KEY');
  }
  return client;
}

async function ask<Answer>(
  timeoutMs: number,
  send: (signal: AbortSignal) => Promise<Answer>,
): Promise<Answer> {
  try {
    return await send(AbortSignal.timeout(timeoutMs));
  } catch (error) {
    throw new SignerSilent(`AWS KMS did not sign: ${kmsFailure(error)}`);
  }
}
