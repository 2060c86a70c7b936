import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http';
import { Webhook, WebhookVerificationError } from 'standardwebhooks';

const BODY_BYTES_MAX = 1_000_000;

interface Event {
  readonly id: string;
  readonly type: string;
}

/** One for each secret: the package checks against one, and there are two during a rotation. */
function readWebhooks(secrets: string): Webhook[] {
  const all = secrets.split(' ').filter((secret) => secret !== '');
  if (all.length === 0) throw new Error('WEBHOOK_SECRETS must hold whsec_ secrets');
  return all.map((secret) => new Webhook(secret));
}

/** The event, null where none of the secrets signed it. The body is as it arrived. */
function verify(webhooks: Webhook[], headers: IncomingHttpHeaders, body: Buffer): Event | null {
  for (const webhook of webhooks) {
    try {
      return webhook.verify(body, headers as Record<string, string>) as Event;
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
    }
  }
  return null;
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

const webhooks = readWebhooks(process.env['WEBHOOK_SECRETS'] ?? '');
const server = createServer((request, response) => {
  const answer = async () => {
    const body = await readBody(request);
    if (body === null) return 413;
    const event = verify(webhooks, request.headers, body);
    if (event === null) return 401;
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
