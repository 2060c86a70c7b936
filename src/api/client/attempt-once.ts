import type { Signal } from './call-options.ts';
import type { BuiltRequest } from './build-request.ts';
import type { ConnectionFault } from './errors.ts';
import type { Settings } from './settings.ts';

/** What came back for one attempt. */
export type Outcome =
  | {
      readonly kind: 'answer';
      readonly status: number;
      readonly headers: { get(name: string): string | null };
      readonly text: string;
    }
  | { readonly kind: 'none'; readonly fault: ConnectionFault; readonly cause: unknown };

/**
 * Sends the request once and reads the whole answer, within the time and unless the signal ends it. A
 * redirect is not followed: it would take the key and the order to another place.
 */
export async function attemptOnce(
  settings: Settings,
  { url, headers, body, sending }: BuiltRequest,
  { timeoutMs, signal }: { readonly timeoutMs: number; readonly signal: Signal | undefined },
): Promise<Outcome> {
  const ending = new AbortController();
  const end = () => ending.abort(signal?.reason);
  signal?.addEventListener('abort', end, { once: true });
  const timer = setTimeout(() => ending.abort(), timeoutMs);
  try {
    const { method } = sending;
    const init = { method, headers, redirect: 'manual', signal: ending.signal } as const;
    const answer = await settings.fetch(url, body === undefined ? init : { ...init, body });
    const text = await answer.text();
    return { kind: 'answer', status: answer.status, headers: answer.headers, text };
  } catch (cause) {
    if (signal?.aborted === true) return { kind: 'none', fault: 'aborted', cause: signal.reason };
    return { kind: 'none', fault: ending.signal.aborted ? 'timeout' : 'connection', cause };
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', end);
  }
}
