import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';
import { nowMs } from '../clock.ts';
import { answerParent } from '../peers/answer-parent.ts';
import type { BankReport, StatementOrder } from '../peers/bank.ts';
import { listenHttp, readBody } from '../peers/http-listen.ts';
import { statementChunks, STATEMENT_ID } from '../peers/statement-file.ts';

// A bank that settles every transfer at once, by docs/reference/bank-contract.md, and remembers when.

interface Transfer {
  readonly body: Buffer;
  readonly answer: string;
  readonly settledAtMs: number;
}

const transfers = new Map<string, Transfer>();
let statement: StatementOrder | null = null;
let statementServedAtMs: number | null = null;
const url = await listenHttp((request, response) => {
  void handle(request, response);
});

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const path = request.url ?? '/';
  if (path.startsWith('/transfers/')) {
    const reference = path.slice('/transfers/'.length);
    if (request.method === 'GET') answerTransfer(response, reference);
    else putTransfer(response, reference, await readBody(request));
    return;
  }
  if (path === `/statements/${STATEMENT_ID}` && statement !== null) {
    statementServedAtMs ??= nowMs();
    response.writeHead(200, { 'content-type': 'application/xml' });
    Readable.from(statementChunks(statement, settledReferences())).pipe(response);
    return;
  }
  if (path.startsWith('/statements?')) sendJson(response, 200, listStatements());
  else sendJson(response, 404, '{}');
}

function putTransfer(response: ServerResponse, reference: string, body: Buffer): void {
  const known = transfers.get(reference);
  if (known !== undefined && !known.body.equals(body)) return sendJson(response, 409, '{}');
  if (known === undefined) {
    const bankReference = `BB${String(transfers.size + 1).padStart(12, '0')}`;
    const answer = JSON.stringify({ reference, status: 'SETTLED', bankReference });
    transfers.set(reference, { body, answer, settledAtMs: nowMs() });
  }
  answerTransfer(response, reference);
}

function answerTransfer(response: ServerResponse, reference: string): void {
  const known = transfers.get(reference);
  if (known === undefined) sendJson(response, 404, '{}');
  else sendJson(response, 200, known.answer);
}

function listStatements(): string {
  const now = new Date().toISOString();
  const listed = { id: STATEMENT_ID, sequence: 1, account: 'BENCH-EUR', from: now, to: now };
  return JSON.stringify({ data: statement === null ? [] : [listed] });
}

function sendJson(response: ServerResponse, status: number, text: string): void {
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
}

const settledReferences = (): string[] => [...transfers.keys()];

answerParent({
  url: () => url,
  report: (): BankReport => ({
    settledAtMs: [...transfers.values()].map((transfer) => transfer.settledAtMs),
    references: settledReferences(),
    statementServedAtMs,
  }),
  publishStatement: (order: StatementOrder) => {
    statement = order;
  },
});
