import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { ReceiverSettings, StartedReceiver } from './start-program.ts';

const STATUS_OF_EXIT: Readonly<Record<number, number>> = { 0: 204, 1: 401 };

/** Has a script judge every request: headers in its environment, the body on its standard input. */
export const startShellReceiver =
  (script: string) =>
  (settings: ReceiverSettings): StartedReceiver => {
    const taken: string[] = [];
    const server = createServer((request, response) => {
      void judge(script, settings.secrets, request).then(({ exitCode, body }) => {
        const status = STATUS_OF_EXIT[exitCode] ?? 500;
        if (status === 204) {
          const { id, type } = JSON.parse(body.toString()) as { id: string; type: string };
          taken.push(`${id} ${type}`);
        }
        response.writeHead(status).end();
      });
    });
    server.listen(settings.port, '127.0.0.1');
    return {
      taken: () => taken,
      hasEnded: () => false,
      stop: async () => {
        server.closeAllConnections();
        server.close();
        await once(server, 'close');
      },
    };
  };

async function judge(script: string, secrets: string, request: IncomingMessage) {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body = Buffer.concat(chunks);
  const header = (name: string) => String(request.headers[name] ?? '');
  const child = spawn('sh', [script], {
    env: {
      PATH: process.env['PATH'],
      WEBHOOK_ID: header('webhook-id'),
      WEBHOOK_TIMESTAMP: header('webhook-timestamp'),
      WEBHOOK_SIGNATURE: header('webhook-signature'),
      WEBHOOK_SECRETS: secrets,
    },
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  // A script that has refused the headers reads no body.
  child.stdin.on('error', () => undefined);
  child.stdin.end(body);
  const [exitCode] = (await once(child, 'exit')) as [number];
  return { exitCode, body };
}
