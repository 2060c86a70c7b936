import { request, type Dispatcher } from 'undici';
import type { ControlRefusal } from '../../domain/sandbox/bank-control.ts';
import type { SandboxKycControl } from '../../domain/sandbox/kyc-control.ts';
import { untilAnswered } from '../../domain/sandbox/until-answered.ts';

const TIMEOUT_MS = 5_000;
const ANSWER_BYTES_MAX = 64 * 1024;

/** What the provider says of an order that it did not carry out, by the `error` of its 409. */
const REFUSALS: ReadonlyMap<unknown, ControlRefusal> = new Map([['not_possible', 'NOT_POSSIBLE']]);

/**
 * Directs the sandbox's KYC provider over HTTP. A provider that is no sandbox knows no such route: NO_CONTROL_API. An order
 * may be repeated: a check that stands there stays.
 */
export function createSandboxKycControl(options: {
  /** Where the provider is, without a slash at the end. */
  readonly url: string;
  readonly dispatcher?: Dispatcher;
}): SandboxKycControl {
  const { url, dispatcher } = options;

  async function decideOnce(reference: string, status: string): Promise<'DONE' | ControlRefusal> {
    try {
      const answer = await request(`${url}/checks/${encodeURIComponent(reference)}/status`, {
        ...{ method: 'PUT', dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) },
        headers: { accept: 'application/json', 'content-type': 'application/json' },
        body: JSON.stringify({ status }),
      });
      if (answer.statusCode === 200 || answer.statusCode === 202) {
        await answer.body.dump({ limit: ANSWER_BYTES_MAX });
        return 'DONE';
      }
      const { error } = readObject(await readText(answer.body));
      const isSure = answer.statusCode >= 400 && answer.statusCode < 500;
      return REFUSALS.get(error) ?? (isSure ? 'NO_CONTROL_API' : 'SILENCE');
    } catch {
      return 'SILENCE';
    }
  }

  return {
    decide: (reference, status) =>
      untilAnswered(
        () => decideOnce(reference, status),
        (answer) => answer === 'SILENCE',
      ),
  };
}

/** Throws for a body beyond the limit; leaving the loop ends it. */
async function readText(body: AsyncIterable<Buffer>): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > ANSWER_BYTES_MAX) throw new Error('The answer is too long.');
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** What an answer says; nothing where it is no JSON object. */
function readObject(text: string): { readonly error?: unknown } {
  try {
    const value = JSON.parse(text) as unknown;
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
}
