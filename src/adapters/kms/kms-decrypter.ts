import { kmsFailure } from '../../domain/kms-failure.ts';

/** For everything that one decrypter is asked. */
const DEADLINE_MS = 20_000;
const CONNECT_MS = 3_000;
const ATTEMPT_MS = 5_000;
/** The SDK waits for less than a second between them. */
const ATTEMPTS = 3;

/** The answer is a key. */
const MUST_BE_SAFE = 'its address must begin with https://, or http:// on this machine';
const LOOPBACK = /^(localhost|127(\.[0-9]{1,3}){3}|\[::1\])$/;

type Decrypted = { readonly plain: Buffer } | { readonly failure: string };

export interface KmsDecrypter {
  /**
   * Decrypts what a symmetric key of KMS encrypted with the same encryption context. The ciphertext says which key it was.
   * A failure is our own text or the name of an error.
   */
  decrypt(ciphertext: Buffer, context: Readonly<Record<string, string>>): Promise<Decrypted>;
  close(): void;
}

/**
 * AWS KMS where the SDK's own variables say it is (AWS_REGION, AWS_ENDPOINT_URL_KMS), with the credentials that the SDK
 * finds. After `deadlineMs`, counted from here, every question has failed.
 */
export async function openKmsDecrypter(deadlineMs = DEADLINE_MS): Promise<KmsDecrypter> {
  // Loaded only where it is used: the SDK is large.
  const { DecryptCommand, KMSClient } = await import('@aws-sdk/client-kms');
  const requestHandler = {
    connectionTimeout: CONNECT_MS,
    requestTimeout: ATTEMPT_MS,
    throwOnRequestTimeout: true,
  };
  const client = new KMSClient({ maxAttempts: ATTEMPTS, requestHandler });
  // Variables and files may name the address: this is where the SDK has read all of them.
  client.middlewareStack.add(
    (next) => (args) => {
      if (!isSafe(args.request)) throw new Error(MUST_BE_SAFE);
      return next(args);
    },
    { step: 'build' },
  );
  const abortSignal = AbortSignal.timeout(deadlineMs);
  // The signal does not end a search for credentials.
  const deadline = new Promise<Decrypted>((settle) => {
    abortSignal.addEventListener('abort', () => {
      settle({ failure: `no answer within ${String(deadlineMs / 1_000)} s` });
    });
  });
  const ask: KmsDecrypter['decrypt'] = async (ciphertext, EncryptionContext) => {
    const region = await client.config.region().catch(() => '');
    if (region === '') return { failure: 'AWS_REGION is not set' };
    try {
      const command = new DecryptCommand({ CiphertextBlob: ciphertext, EncryptionContext });
      const { Plaintext } = await client.send(command, { abortSignal });
      return Plaintext === undefined
        ? { failure: kmsFailure(undefined) }
        : { plain: Buffer.from(Plaintext) };
    } catch (error) {
      if (abortSignal.aborted) return deadline;
      const isUnsafe = error instanceof Error && error.message === MUST_BE_SAFE;
      return { failure: isUnsafe ? MUST_BE_SAFE : kmsFailure(error) };
    }
  };
  return {
    decrypt: (ciphertext, context) => Promise.race([ask(ciphertext, context), deadline]),
    close: () => {
      client.destroy();
    },
  };
}

function isSafe(request: unknown): boolean {
  const { protocol, hostname } = request as {
    readonly protocol: string;
    readonly hostname: string;
  };
  return protocol === 'https:' || LOOPBACK.test(hostname);
}
