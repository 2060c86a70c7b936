import type { SandboxLog } from '../sandbox-log.ts';
import { answerJson, BadInput, createSandboxServer, NOT_FOUND } from '../sandbox-server.ts';
import type { SandboxServer } from '../sandbox-server.ts';

const RESULT_BY_LAST_WORD: ReadonlyMap<string, string> = new Map([
  ['Closematch', 'CLOSE_MATCH'],
  ['Nomatch', 'NO_MATCH'],
  ['Unavailable', 'UNAVAILABLE'],
]);

/**
 * The sandbox's name check. `POST /name-checks` with `{reference, holderName, ...}` answers 200
 * `{reference, result}`; `GET /health` answers 200. With `magic` the last word of the name decides:
 * Closematch, Nomatch, Unavailable; every other name is a MATCH. Nothing is kept.
 */
export function createSandboxNameCheck(options: {
  readonly magic: boolean;
  readonly log: SandboxLog;
}): SandboxServer {
  return createSandboxServer(async ({ method, path, body }) => {
    const route = `${method} /${path.join('/')}`;
    if (route === 'GET /health') return answerJson(200, { status: 'ok' });
    if (route !== 'POST /name-checks') return NOT_FOUND;
    const reference = textOf(body, 'reference');
    const lastWord = textOf(body, 'holderName').trim().split(/\s+/).at(-1) ?? '';
    const decided = options.magic ? RESULT_BY_LAST_WORD.get(lastWord) : undefined;
    return answerJson(200, { reference, result: decided ?? 'MATCH' });
  }, options.log);
}

function textOf(body: unknown, field: string): string {
  const value =
    typeof body === 'object' && body !== null ? (body as Record<string, unknown>)[field] : null;
  if (typeof value !== 'string' || value === '') throw new BadInput(400, field, 'must be a text');
  return value;
}
