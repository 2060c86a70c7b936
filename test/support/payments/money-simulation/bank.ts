import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { NEVER_SEEN, type BankReply } from '../scripted-bank.ts';
import { createBankDecisions, type DecisionDeps } from './bank-decisions.ts';
import type { createBankStatements } from './bank-statements.ts';

export interface BankDeps extends DecisionDeps {
  readonly statements: ReturnType<typeof createBankStatements>;
}

/** A bank that keeps the HTTP contract as well as banks do, with answers that get lost. */
export async function startBank(deps: BankDeps) {
  const decisions = createBankDecisions(deps);
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const url = new URL(request.url ?? '', 'http://bank');
      const [, folder, id = ''] = url.pathname.split('/');
      const body = Buffer.concat(chunks).toString();
      if (folder === 'statements') sendStatements(deps, response, url, id);
      else if (request.method === 'PUT') reply(response, decisions.onPut(id, body));
      else reply(response, decisions.onGet(id, NEVER_SEEN));
    });
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${String(port)}`,
    async close(): Promise<void> {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

function sendStatements(
  { statements }: BankDeps,
  response: ServerResponse,
  url: URL,
  id: string,
): void {
  if (id === '') {
    const data = statements.list(Number(url.searchParams.get('after')));
    reply(response, { status: 200, body: { data } });
    return;
  }
  const text = statements.read(id);
  if (text === undefined) reply(response, NEVER_SEEN);
  else response.writeHead(200, { 'content-type': 'application/xml' }).end(text);
}

function reply(response: ServerResponse, answer: BankReply): void {
  if (answer === 'SILENCE') return;
  if (answer === 'RESET') {
    response.socket?.resetAndDestroy();
    return;
  }
  const headers = { 'content-type': 'application/json' };
  response.writeHead(answer.status, headers).end(JSON.stringify(answer.body ?? {}));
}
