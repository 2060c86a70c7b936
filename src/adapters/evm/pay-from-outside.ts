import { Agent } from 'undici';
import type { OutsideTransfer, PayFromOutside } from '../../domain/onchain/token-payer.ts';
import { untilAnswered } from '../../domain/sandbox/until-answered.ts';
import { exchange } from '../http/exchange.ts';

/** A transfer is small, and so is what is said of it. */
const ANSWER_BYTES_MAX = 64 * 1024;
const TIMEOUT_MS = 5_000;
const HASH = /^0x[0-9a-f]{64}$/;

/** Asks the control API of the sandbox chains for transfers. It answers the same for the same one, however often. */
export function createPayFromOutside(controlUrl: string): PayFromOutside {
  const dispatcher = new Agent({ pipelining: 1 });
  const url = new URL(controlUrl);
  const basePath = url.pathname.replace(/\/+$/, '');
  return async ({ id, ...transfer }: OutsideTransfer) => {
    const outcome = await untilAnswered(
      () =>
        exchange(dispatcher, {
          origin: url.origin,
          path: `${basePath}/deposits/${encodeURIComponent(id)}`,
          method: 'PUT',
          body: Buffer.from(JSON.stringify(transfer)),
          timeoutMs: TIMEOUT_MS,
          bodyBytesMax: ANSWER_BYTES_MAX,
        }),
      ({ kind }) => kind !== 'ANSWER',
    );
    if (outcome.kind !== 'ANSWER' || outcome.status > 201) return null;
    return readHash(outcome.body);
  };
}

/** The hash in an answer of the control API; null in whatever else it says. */
function readHash(body: Buffer): string | null {
  try {
    const answer = JSON.parse(body.toString('utf8')) as { readonly txHash?: unknown } | null;
    const hash = answer?.txHash;
    return typeof hash === 'string' && HASH.test(hash) ? hash : null;
  } catch {
    return null;
  }
}
