import { Agent, type Dispatcher } from 'undici';
import type { DepositAnswer, SandboxDepositor } from '../../domain/payments/connector.ts';
import { exchange } from '../http/exchange.ts';

/** A deposit is small, and so is what is said of it. */
const ANSWER_BYTES_MAX = 64 * 1024;

/**
 * Tells the sandbox bank that an outside payer pays in, each deposit once under its own id. A bank that is no
 * sandbox knows no such route: it answers REFUSED.
 */
export function createSandboxDepositor(
  baseUrl: string,
  dispatcher: Dispatcher = new Agent({ pipelining: 1 }),
): SandboxDepositor {
  const url = new URL(baseUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  return {
    async deposit({ id, amount, currency, remittance }, { timeoutMs }): Promise<DepositAnswer> {
      const outcome = await exchange(dispatcher, {
        origin: url.origin,
        path: `${basePath}/deposits/${encodeURIComponent(id)}`,
        method: 'PUT',
        body: Buffer.from(JSON.stringify({ amount, currency, remittance })),
        timeoutMs,
        bodyBytesMax: ANSWER_BYTES_MAX,
      });
      if (outcome.kind !== 'ANSWER') return 'SILENCE';
      const { status } = outcome;
      if (status === 200 || status === 201) return 'TAKEN';
      const isFinal = status >= 400 && status < 500 && status !== 408 && status !== 429;
      return isFinal ? 'REFUSED' : 'SILENCE';
    },
  };
}
