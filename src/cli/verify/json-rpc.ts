import { setTimeout as pause } from 'node:timers/promises';
import { UnusableInput } from './unusable-input.ts';

export interface RpcCall {
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The node answered that it does not do this: what it was asked may be too much at once. */
export class RpcRefused extends Error {
  override readonly name = 'RpcRefused';
}

const TRIES = 3;
const TRY_AGAIN_MS = 1_000;
const TIMEOUT_MS = 30_000;

/**
 * The results of calls that one node takes as a batch, in their order. `who` names the node in errors: its URL
 * holds a key. Throws RpcRefused, and UnusableInput where it cannot be reached or answers something else.
 */
export async function askNode(
  { url, who }: { readonly url: string; readonly who: string },
  calls: readonly RpcCall[],
): Promise<readonly unknown[]> {
  const body = JSON.stringify(calls.map((call, id) => ({ jsonrpc: '2.0', id, ...call })));
  for (let tries = 1; ; tries += 1) {
    const answer = await post(url, body);
    if (answer.kind === 'REFUSED') throw new RpcRefused(`${who} refused (HTTP ${answer.status})`);
    if (answer.kind === 'ANSWER') return resultsOf(answer.json, calls, who);
    if (tries === TRIES) throw new UnusableInput(`${who} does not answer`);
    await pause(TRY_AGAIN_MS * tries);
  }
}

type Posted =
  | { readonly kind: 'ANSWER'; readonly json: unknown }
  | { readonly kind: 'REFUSED'; readonly status: string }
  | { readonly kind: 'SILENT' };

async function post(url: string, body: string): Promise<Posted> {
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body,
      redirect: 'error',
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    if (response.ok) return { kind: 'ANSWER', json: await response.json() };
    await response.body?.cancel();
    return response.status === 400 || response.status === 413
      ? { kind: 'REFUSED', status: String(response.status) }
      : { kind: 'SILENT' };
  } catch {
    return { kind: 'SILENT' };
  }
}

function resultsOf(json: unknown, calls: readonly RpcCall[], who: string): readonly unknown[] {
  const answers = (Array.isArray(json) ? json : [json]) as readonly ({
    readonly id?: unknown;
    readonly result?: unknown;
    readonly error?: unknown;
  } | null)[];
  const refused = answers.some((answer) => answer?.error !== undefined && answer.error !== null);
  if (refused) throw new RpcRefused(`${who} answered an error`);
  return calls.map(({ method }, id) => {
    const answer = answers.find((one) => one?.id === id);
    if (answer?.result === undefined) throw new UnusableInput(`${who} left out ${method}`);
    return answer.result;
  });
}
