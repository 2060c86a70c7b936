import { askApi, type ApiAnswer, type ApiQuestion } from '../shared/ask-api.ts';
import { list, text as textOf } from './json.ts';
import { DemoFailure, mustHold } from './step.ts';

interface Answer extends ApiAnswer {
  readonly body: Record<string, unknown>;
}

/** The API as a partner's program uses it: an address and a key. */
export interface Partner {
  get(path: string): Promise<Answer>;
  post(path: string, body: object, headers?: Record<string, string>): Promise<Answer>;
}

const TIMEOUT_MS = 10_000;

/** Calls the API; anything but a 2xx ends the demonstration with what the API said. */
export function createPartner(apiUrl: string, apiKey: string): Partner {
  async function call(
    question: Pick<ApiQuestion, 'method' | 'path' | 'body' | 'headers'>,
  ): Promise<Answer> {
    const answer = await askApi({ apiUrl, apiKey }, { ...question, timeoutMs: TIMEOUT_MS });
    const { status, text } = answer;
    if (status >= 300) {
      const { method, path } = question;
      throw new DemoFailure(`${method} ${path} answered ${String(status)}: ${text}`);
    }
    return { ...answer, body: JSON.parse(text) as Record<string, unknown> };
  }
  return {
    get: (path) => call({ method: 'GET', path }),
    post: (path, body, headers = {}) => call({ method: 'POST', path, body, headers }),
  };
}

/** What the bank knows a payment by. Ends the demonstration where it has no such reference. */
export async function referenceOf(partner: Partner, paymentId: string): Promise<string> {
  const { body } = await partner.get(`/payments/${paymentId}`);
  const found = list(body['references']).find((one) => one['type'] === 'END_TO_END_ID');
  mustHold(found !== undefined, 'the payment has no reference at the bank');
  return textOf(found['value']);
}
