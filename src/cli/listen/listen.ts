import { randomBytes } from 'node:crypto';
import type { Installation } from '../../server/config/listen-config.ts';
import type { Clock } from '../../domain/clock.ts';
import { PlainError } from '../../server/runtime/plain-error.ts';
import { createApi, type Api } from './api.ts';
import { createForwarder } from './forward.ts';
import { thisListener } from './left-behind.ts';
import { addEndpoint, deleteEndpoint, deleteLeftBehind, proveReachable } from './own-endpoint.ts';
import { openReceiver } from './receiver.ts';
import type { Rendering } from './render-webhook.ts';
import { keepSecret } from './secret-file.ts';
import { createTaker } from './take-webhook.ts';

export interface ListenOptions {
  readonly installation: Installation;
  /** 0 picks a free one. */
  readonly port: number;
  readonly forward?: string;
  readonly types?: readonly string[];
  /** How far back events are sent again first; null for none. */
  readonly replayMs: number | null;
  readonly secretFile?: string;
  readonly publicUrl?: string;
  readonly json: boolean;
}

interface ListenDeps {
  readonly clock: Clock;
  readonly rendering: Rendering;
  /** Gets webhooks. */
  readonly print: (text: string) => void;
  /** Gets everything else. */
  readonly say: (text: string) => void;
  /** Resolves when it should end. */
  readonly asked: Promise<unknown>;
}

/**
 * Receives webhooks until it is asked to end, on an endpoint of its own that is deleted then. Answers the exit code: 1
 * where the endpoint could not be deleted. Throws PlainError.
 */
export async function listen(options: ListenOptions, deps: ListenDeps): Promise<number> {
  const { installation, forward, types, secretFile } = options;
  const { say } = deps;
  const api = createApi(installation);
  // So that one who finds the port has not found the receiver, nor a killed listener's endpoint the next one.
  const path = `/${randomBytes(9).toString('base64url')}`;
  const forwarder = forward === undefined ? null : createForwarder(forward);
  const taker = createTaker({ ...deps, forwarder });
  const receiver = await openReceiver(options.port, path, taker.take);
  const undo: (() => Promise<void> | void)[] = [() => forwarder?.close(), () => receiver.close()];
  let exitCode = 0;
  try {
    const own = thisListener(receiver.port);
    for (const id of await deleteLeftBehind(api, own)) {
      say(`Deleted ${id}, left behind by a listener that was killed`);
    }
    const url = (options.publicUrl ?? `http://127.0.0.1:${own.port}`) + path;
    const endpoint = await addEndpoint(api, own, { url, types });
    undo.push(async () => {
      exitCode = await deleteOwn(api, endpoint.id, say);
    });
    taker.trust(endpoint.secret);
    if (secretFile !== undefined) undo.push(keepSecret(secretFile, endpoint.secret));
    await proveReachable(api, endpoint.id, url);
    taker.open();
    say(`Listening as ${endpoint.id} at ${url}, for ${types?.join(', ') ?? 'everything'}`);
    if (forward !== undefined) say(`Forwarding verified webhooks to ${forward}`);
    say('Press Ctrl-C to stop and delete the endpoint');
    if (options.replayMs !== null) await replay(api, endpoint, options.replayMs, say);
    await deps.asked;
  } finally {
    for (const step of undo.reverse()) await step();
  }
  return exitCode;
}

async function replay(
  api: Api,
  { id, createdAt }: { readonly id: string; readonly createdAt: string },
  spanMs: number,
  say: ListenDeps['say'],
): Promise<void> {
  // Up to the endpoint's own beginning: what came after is sent anyway.
  const from = new Date(Date.parse(createdAt) - spanMs).toISOString();
  await api.call('POST', `/webhook-endpoints/${id}/replay`, { from, to: createdAt });
  say(`Replaying events since ${from}`);
}

async function deleteOwn(api: Api, id: string, say: ListenDeps['say']): Promise<number> {
  try {
    await deleteEndpoint(api, id);
    say(`Deleted ${id}`);
    return 0;
  } catch (error) {
    if (!(error instanceof PlainError)) throw error;
    say(
      `${id} could not be deleted: ${error.message} The next "npm run listen" on this machine deletes it.`,
    );
    return 1;
  }
}
