import { createHash } from 'node:crypto';
import { request } from 'undici';
import type { Dispatcher } from 'undici';
import { KycProviderError } from '../../domain/parties/kyc/kyc-provider.ts';
import type { KycProvider } from '../../domain/parties/kyc/kyc-provider.ts';
import { readOpenedCheck, readProviderCheck } from './provider-answer.ts';

const TIMEOUT_MS = 10_000;
/** 10 MiB over a slow line. */
const DOCUMENT_TIMEOUT_MS = 60_000;
const ANSWER_BYTES_MAX = 64 * 1024;

interface HttpKycProviderOptions {
  /** Where the provider is, without a slash at the end. */
  readonly url: string;
  /** Milliseconds until the last byte of an answer. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

/**
 * A KYC provider over HTTP: `PUT {url}/checks/{reference}` opens, `GET` of the same asks. Redirects
 * are not followed, an answer is 64 KiB at most, in 10 s.
 */
export function createHttpKycProvider(options: HttpKycProviderOptions): KycProvider {
  const { url, timeoutMs = TIMEOUT_MS, dispatcher } = options;

  const pathOf = (reference: string) => `${url}/checks/${encodeURIComponent(reference)}`;
  const call = (method: 'GET' | 'PUT', reference: string, body?: object) =>
    exchange(pathOf(reference), {
      method,
      signal: AbortSignal.timeout(timeoutMs),
      headers: { accept: 'application/json', 'content-type': 'application/json' },
      ...(body && { body: JSON.stringify(body) }),
    });

  async function exchange(target: string, options: NonNullable<Parameters<typeof request>[1]>) {
    try {
      const answer = await request(target, { dispatcher, ...options });
      return { status: answer.statusCode, bytes: await readBytes(answer.body) };
    } catch (error) {
      if (error instanceof KycProviderError) throw error;
      throw new KycProviderError('KYC_PROVIDER_UNREACHABLE');
    }
  }

  return {
    async openCheck({ reference, ...opening }) {
      const { status, bytes } = await call('PUT', reference, opening);
      refuseStatus(status, [200, 201]);
      return readOpenedCheck(bytes, reference);
    },
    async putDocument(reference, { id, type, contentType, content }) {
      const digest = createHash('sha256').update(content).digest('base64');
      const { status } = await exchange(
        `${pathOf(reference)}/documents/${encodeURIComponent(id)}?type=${type}`,
        {
          method: 'PUT',
          signal: AbortSignal.timeout(DOCUMENT_TIMEOUT_MS),
          // RFC 9530: the provider can tell a document that broke off or changed on its way.
          headers: { 'content-type': contentType, 'content-digest': `sha-256=:${digest}:` },
          body: Buffer.from(content),
        },
      );
      refuseStatus(status, [200, 201]);
    },
    async getCheck(reference) {
      const { status, bytes } = await call('GET', reference);
      if (status === 404) return null;
      refuseStatus(status, [200]);
      return readProviderCheck(bytes, reference);
    },
  };
}

function refuseStatus(status: number, expected: readonly number[]): void {
  if (expected.includes(status)) return;
  throw new KycProviderError(status >= 500 ? 'KYC_PROVIDER_FAILED' : 'KYC_PROVIDER_REFUSED');
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, so no more than one chunk beyond the limit is ever held.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new KycProviderError('KYC_PROVIDER_GARBLED');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
