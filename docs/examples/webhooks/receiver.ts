import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';

const TOLERANCE_SECONDS = 300;
const BODY_BYTES_MAX = 1_000_000;

/** The keys of "whsec_..." texts that are separated by blanks: one, or two during a rotation. */
function readKeys(secrets: string): Buffer[] {
  const keys = secrets
    .split(' ')
    .filter((secret) => secret !== '')
    .map((secret) => Buffer.from(secret.replace(/^whsec_/, ''), 'base64'));
  // A forgotten setting must not become an empty key that any sender can sign with.
  if (keys.length === 0 || keys.some((key) => key.length < 24)) {
    throw new Error('WEBHOOK_SECRETS must hold whsec_ secrets');
  }
  return keys;
}

/** Whether one of the keys signed the webhook, within the tolerance. The body is as it arrived. */
function isGenuine(keys: Buffer[], headers: IncomingHttpHeaders, body: Buffer): boolean {
  const id = headers['webhook-id'];
  const timestamp = headers['webhook-timestamp'];
  const signatures = headers['webhook-signature'];
  if (typeof id !== 'string' || typeof timestamp !== 'string') return false;
  if (typeof signatures !== 'string' || !/^[0-9]{1,12}$/.test(timestamp)) return false;
  if (Math.abs(Date.now() / 1000 - Number(timestamp)) > TOLERANCE_SECONDS) return false;

  const expected = keys.map((key) => {
    const hmac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body);
    return Buffer.from(`v1,${hmac.digest('base64')}`);
  });
  // Signatures of a kind that is not known here (`v1a,...`) match nothing and do no harm.
  return signatures.split(' ').some((signature) => {
    const offered = Buffer.from(signature);
    return expected.some((one) => one.length === offered.length && timingSafeEqual(one, offered));
  });
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

const keys = readKeys(process.env['WEBHOOK_SECRETS'] ?? '');
const server = createServer((request, response) => {
  const answer = async () => {
    const body = await readBody(request);
    if (body === null) return 413;
    if (!isGenuine(keys, request.headers, body)) return 401;
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
