import { createPublicKey, verify, type JsonWebKey, type KeyObject } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

const TOLERANCE_SECONDS = 300;
const BODY_BYTES_MAX = 1_000_000;
const KEYS_KEPT_MS = 300_000;
/** How soon the keys are fetched again because nothing fits: a forger must not make you ask all the time. */
const KEYS_MISSED_MS = 60_000;
const SIGNATURES_MAX = 8;

/** https://<api>/.well-known/webhook-keys/{webhookEndpointId}: yours to set, never to be read from a webhook. */
const keysUrl = new URL(process.env['WEBHOOK_KEYS_URL'] ?? '');

async function fetchKeys(): Promise<KeyObject[]> {
  const answer = await fetch(keysUrl, { redirect: 'error', signal: AbortSignal.timeout(5_000) });
  // The endpoint is no more, or has no key pair any more: nothing verifies.
  if (answer.status === 404) return [];
  if (!answer.ok) throw new Error(`the keys were answered with ${String(answer.status)}`);
  const { keys } = (await answer.json()) as { keys: JsonWebKey[] };
  return keys.map((jwk) => createPublicKey({ key: jwk, format: 'jwk' }));
}

let askedAt = -Infinity;
let known: Promise<KeyObject[]> = Promise.resolve([]);

/** The keys, asked for at most so long ago. Where they cannot be had, those before go on. */
function keysOfAge(maxMs: number): Promise<KeyObject[]> {
  if (Date.now() - askedAt >= maxMs) {
    askedAt = Date.now();
    const before = known;
    known = fetchKeys().catch(() => before);
  }
  return known;
}

/** Whether one of the keys signed the webhook, within the tolerance. The body is as it arrived. */
async function isGenuine(headers: IncomingHttpHeaders, body: Buffer): Promise<boolean> {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || id === '' || typeof timestamp !== 'string') return false;
  if (typeof signatures !== 'string' || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;

  const signed = Buffer.concat([Buffer.from(`${id}.${timestamp}.`), body]);
  const offered = signatures
    .split(' ')
    .filter((signature) => signature.startsWith('v1a,'))
    .slice(0, SIGNATURES_MAX)
    .map((signature) => Buffer.from(signature.slice(4), 'base64'));
  const fitsOne = (keys: KeyObject[]) =>
    keys.some((key) => offered.some((signature) => verify(null, signed, key, signature)));
  if (offered.length === 0) return false;
  return fitsOne(await keysOfAge(KEYS_KEPT_MS)) || fitsOne(await keysOfAge(KEYS_MISSED_MS));
}

async function readBody(request: IncomingMessage): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const server = createServer((request, response) => {
  const answer = async () => {
    const body = await readBody(request);
    if (body === null) return 413;
    if (!(await isGenuine(request.headers, body))) return 401;
    const event = JSON.parse(body.toString()) as { id: string; type: string };
    // Store the event under its id here, unless it is there already, and work on it afterwards.
    console.log(`${event.id} ${event.type}`);
    return 204;
  };
  answer().then(
    (status) => response.writeHead(status).end(),
    () => response.writeHead(500).end(),
  );
});
server.listen(Number(process.env['PORT'] ?? '3000'), '127.0.0.1');
