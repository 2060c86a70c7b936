import { request, type Dispatcher } from 'undici';
import {
  TravelRuleError,
  type TravelRuleProvider,
  type VaspAnswer,
} from '../../domain/payments/travel-rule/travel-rule-provider.ts';

const TIMEOUT_MS = 10_000;
const ANSWER_BYTES_MAX = 64 * 1024;
const ANSWERS = ['PENDING', 'ACCEPTED', 'REJECTED'] as const;

interface TravelRuleCallOptions {
  /** Where the provider is, without a slash at the end. */
  readonly url: string;
  /** Milliseconds until the last byte of an answer. */
  readonly timeoutMs?: number;
  readonly dispatcher?: Dispatcher;
}

interface Answer {
  readonly statusCode: number;
  readonly bytes: Buffer;
}

/**
 * A provider over HTTP: `PUT {url}/transfers/{id}` announces, `GET {url}/transfers/{id}` asks. See
 * docs/how-to/connect-a-kyc-provider.md. Redirects are not followed, an answer is 64 KiB at most, in 10 s.
 */
export function createHttpTravelRule(options: TravelRuleCallOptions): TravelRuleProvider {
  const { url, timeoutMs = TIMEOUT_MS, dispatcher } = options;

  async function call(method: 'PUT' | 'GET', id: string, body?: object): Promise<Answer> {
    try {
      const answer = await request(`${url}/transfers/${encodeURIComponent(id)}`, {
        method,
        dispatcher,
        signal: AbortSignal.timeout(timeoutMs),
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      });
      return { statusCode: answer.statusCode, bytes: await readBytes(answer.body) };
    } catch (error) {
      if (error instanceof TravelRuleError) throw error;
      throw new TravelRuleError('TRAVEL_RULE_UNREACHABLE');
    }
  }

  return {
    async announce(transferId, transfer) {
      const body = { transferId, ...transfer };
      return readAnswer(await call('PUT', transferId, body), transferId);
    },
    async ask(transferId) {
      const answer = await call('GET', transferId);
      return answer.statusCode === 404 ? null : readAnswer(answer, transferId);
    },
  };
}

/** An answer about another transfer says nothing about this one. */
function readAnswer({ statusCode, bytes }: Answer, id: string): VaspAnswer {
  if (statusCode >= 500) throw new TravelRuleError('TRAVEL_RULE_FAILED');
  if (statusCode !== 200) throw new TravelRuleError('TRAVEL_RULE_REFUSED');
  const { transferId, status } = readObject(bytes);
  const known = ANSWERS.find((one) => one === status);
  if (transferId !== id || known === undefined) throw new TravelRuleError('TRAVEL_RULE_GARBLED');
  return known;
}

function readObject(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
    if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) {
      return answer as Record<string, unknown>;
    }
  } catch {
    throw new TravelRuleError('TRAVEL_RULE_GARBLED');
  }
  throw new TravelRuleError('TRAVEL_RULE_GARBLED');
}

async function readBytes(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  // Leaving the loop destroys the body, so no more than one chunk beyond the limit is ever held.
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new TravelRuleError('TRAVEL_RULE_GARBLED');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
