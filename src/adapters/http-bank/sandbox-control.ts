import { Agent, type Dispatcher } from 'undici';
import type { ControlRefusal, SandboxBankControl } from '../../domain/sandbox/bank-control.ts';
import { BANK_FAULTS, type ArmedFault } from '../../domain/sandbox/bank-faults.ts';
import { untilAnswered } from '../../domain/sandbox/until-answered.ts';
import { exchange, type ExchangeRequest } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';

/** As many faults as may wait, and room. */
const ANSWER_BYTES_MAX = 64 * 1024;
const TIMEOUT_MS = 5_000;

/** What the bank says of an order that it did not carry out, by the `error` of its 409 or 422. */
const REFUSALS: ReadonlyMap<unknown, ControlRefusal> = new Map([
  ['not_possible', 'NOT_POSSIBLE'],
  ['unknown_transfer', 'UNKNOWN'],
  ['id_taken', 'OTHER_ORDER'],
  ['too_many', 'TOO_MANY'],
]);

/**
 * Directs the sandbox bank over HTTP. A bank that is no sandbox knows no such routes: NO_CONTROL_API. Every order may be
 * repeated: the bank carries it out once.
 */
export function createSandboxBankControl(
  baseUrl: string,
  dispatcher: Dispatcher = new Agent({ pipelining: 1 }),
): SandboxBankControl {
  const url = new URL(baseUrl);
  const basePath = url.pathname.replace(/\/+$/, '');

  /** The body of a 200 or 201, or why there is none. */
  async function call(
    method: ExchangeRequest['method'],
    path: string,
    order?: object,
  ): Promise<{ readonly body: unknown } | ControlRefusal> {
    const outcome = await untilAnswered(
      () =>
        exchange(dispatcher, {
          origin: url.origin,
          path: `${basePath}${path}`,
          method,
          ...(order === undefined ? {} : { body: Buffer.from(JSON.stringify(order)) }),
          timeoutMs: TIMEOUT_MS,
          bodyBytesMax: ANSWER_BYTES_MAX,
        }),
      ({ kind }) => kind !== 'ANSWER',
    );
    if (outcome.kind !== 'ANSWER') return 'SILENCE';
    const { status } = outcome;
    const body = readJsonBody(outcome);
    if (status === 200 || status === 201) return { body };
    const refusal = REFUSALS.get((body as { readonly error?: unknown } | null | undefined)?.error);
    if (refusal !== undefined) return refusal;
    const isSure = status >= 400 && status < 500 && status !== 408 && status !== 429;
    return isSure ? 'NO_CONTROL_API' : 'SILENCE';
  }

  return {
    async advance(order) {
      const answer = await call('POST', '/advances', order);
      return typeof answer === 'string' ? answer : 'DONE';
    },
    async arm({ id, ...order }) {
      const answer = await call('PUT', `/armed-faults/${encodeURIComponent(id)}`, order);
      if (typeof answer === 'string') return answer;
      return readArmed(answer.body) ?? 'SILENCE';
    },
    async listArmed(onBehalfOf) {
      const query = new URLSearchParams({ onBehalfOf });
      const answer = await call('GET', `/armed-faults?${query.toString()}`);
      if (typeof answer === 'string') return answer;
      const { data } = (answer.body ?? {}) as { readonly data?: unknown };
      if (!Array.isArray(data)) return 'SILENCE';
      const read = data.map(readArmed);
      const armed = read.filter((one) => one !== null);
      return armed.length === read.length ? armed : 'SILENCE';
    },
  };
}

/** An armed fault as the bank shows it; null for whatever else it says. */
function readArmed(value: unknown): ArmedFault | null {
  const { fault, count, left, armedAt, endsAt } = (value ?? {}) as Record<string, unknown>;
  const known = BANK_FAULTS.find((name) => name === fault);
  const isWhole =
    known !== undefined &&
    Number.isSafeInteger(count) &&
    Number.isSafeInteger(left) &&
    isMoment(armedAt) &&
    isMoment(endsAt);
  return isWhole
    ? { fault: known, count: count as number, left: left as number, armedAt, endsAt }
    : null;
}

const isMoment = (value: unknown): value is string =>
  typeof value === 'string' && !Number.isNaN(Date.parse(value));
