import { PlainError } from '../../server/runtime/plain-error.ts';
import { ApiRefusal, type Api } from './api.ts';
import { describeListener, isLeftBehind, type Listener } from './left-behind.ts';

const MUST_REACH =
  'The installation must reach this machine: run both here, with TEST_WEBHOOK_ALLOW_LOOPBACK=true there, or give --public-url, an https address that leads to this port.';

interface OwnEndpoint {
  readonly id: string;
  readonly secret: string;
  /** By the installation's clock, ISO 8601. */
  readonly createdAt: string;
}

interface ListedEndpoint {
  readonly id: string;
  readonly description: string | null;
}

/** Deletes endpoints of listeners on this machine that were killed; answers their ids. */
export async function deleteLeftBehind(api: Api, own: Listener): Promise<string[]> {
  const { data } = await api.call<{ data: readonly ListedEndpoint[] }>(
    'GET',
    '/webhook-endpoints?limit=100',
  );
  const left = data.filter(({ description }) => isLeftBehind(description, own));
  for (const { id } of left) await deleteEndpoint(api, id);
  return left.map(({ id }) => id);
}

/** Adds the listener's endpoint. Throws PlainError that says what to do where its URL is refused. */
export async function addEndpoint(
  api: Api,
  own: Listener,
  { url, types }: { readonly url: string; readonly types?: readonly string[] },
): Promise<OwnEndpoint> {
  const order = { url, description: describeListener(own), ...(types && { types }) };
  try {
    return await api.call<OwnEndpoint>('POST', '/webhook-endpoints', order);
  } catch (error) {
    if (!(error instanceof ApiRefusal) || !error.paths.includes('/url')) throw error;
    throw new PlainError(`${error.message} ${MUST_REACH}`);
  }
}

/** Has the installation send a ping, so that what does not get through shows at once. Throws PlainError. */
export async function proveReachable(api: Api, id: string, url: string): Promise<void> {
  const result = await api.call<{
    readonly delivered: boolean;
    readonly statusCode: number | null;
    readonly error: string | null;
  }>('POST', `/webhook-endpoints/${id}/test`, { type: 'ping' });
  if (result.delivered) return;
  const why = result.statusCode === null ? result.error : `an answer of ${result.statusCode}`;
  throw new PlainError(`A ping to ${url} did not arrive (${why ?? 'no reason'}). ${MUST_REACH}`);
}

/** Deletes an endpoint; one that is gone is as good. */
export async function deleteEndpoint(api: Api, id: string): Promise<void> {
  try {
    await api.call('DELETE', `/webhook-endpoints/${id}`);
  } catch (error) {
    if (!(error instanceof ApiRefusal) || error.status !== 404) throw error;
  }
}
