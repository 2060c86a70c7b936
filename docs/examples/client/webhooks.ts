import { createServer } from 'node:http';
import { CausewayWebhookError, webhooks } from 'causeway/client';

const BODY_BYTES_MAX = 1_000_000;

// One secret, or two during a rotation, with a blank between them.
const secrets = (process.env['WEBHOOK_SECRETS'] ?? '').split(' ');
// A program keeps them in its database, in the transaction of what an event causes.
const seen = new Set<string>();

const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes > BODY_BYTES_MAX) return response.writeHead(413, { connection: 'close' }).end();
    chunks.push(chunk);
  }
  try {
    const event = webhooks.verify(Buffer.concat(chunks), request.headers, secrets);
    if (!seen.has(event.id)) {
      seen.add(event.id);
      switch (event.type) {
        case 'payment.completed':
        case 'payment.failed':
          // The type decides what `data` is.
          console.log(`${event.type} ${event.data.id} ${event.data.amount}`);
          break;
        default:
          console.log(event.type);
      }
    }
    return response.writeHead(204).end();
  } catch (error) {
    return response.writeHead(error instanceof CausewayWebhookError ? 401 : 500).end();
  }
});
server.listen(Number(process.env['PORT'] ?? '3000'), '127.0.0.1');
