import { Agent, type Dispatcher } from 'undici';
import { isWalletOrder, type TransferOrder } from '../../domain/payments/transfer-order.ts';
import { parseCamt053 } from '../iso20022/camt053.ts';
import {
  SourceUnreadable,
  type PayoutConnector,
  type StatementSource,
} from '../../domain/payments/connector.ts';
import { exchange } from '../http/exchange.ts';
import { readJsonBody } from '../http/read-json-body.ts';
import { download } from './statement-download.ts';
import { isStatementId, readStatementList } from './statement-list.ts';
import { judgeAsk, judgeSubmit } from './transfer-answers.ts';

interface HttpBankLimits {
  /** To the end of the TLS handshake. Shorter than a call's timeout, or no call fails as NOT_SENT. */
  readonly connectTimeoutMs: number;
  /** Connections at a time; calls beyond wait, and their timeout runs. */
  readonly connections: number;
  readonly answerBytesMax: number;
  readonly listTimeoutMs: number;
  readonly listBytesMax: number;
  readonly statementIdleTimeoutMs: number;
  readonly statementBytesMax: number;
}

const DEFAULT_LIMITS: HttpBankLimits = {
  connectTimeoutMs: 1_000,
  connections: 64,
  answerBytesMax: 64 * 1024,
  listTimeoutMs: 10_000,
  listBytesMax: 4 * 1024 * 1024,
  statementIdleTimeoutMs: 30_000,
  statementBytesMax: 4 * 1024 * 1024 * 1024,
};

export interface HttpBankOptions {
  /** http or https, with or without a path, without credentials. */
  readonly baseUrl: string;
  readonly name: string;
  /** In place of an agent of its own, e.g. one with a client certificate. The caller that gives it closes it. */
  readonly dispatcher?: Dispatcher;
  readonly limits?: Partial<HttpBankLimits>;
}

/** Pays and gives statements; `close` ends its own agent. */
export type HttpBank = PayoutConnector & StatementSource & { close(): Promise<void> };

/** Our references and nothing else: they become a part of a path. */
const REFERENCE_PATTERN = /^[A-Z0-9]{1,35}$/;

/**
 * The connector to a bank that speaks the HTTP contract (PUT and GET transfers/{reference}, GET
 * statements). Redirects are not followed, nothing is retried, pipelining is off. `close` ends its
 * own agent. Throws TypeError for a base address that is none.
 */
export function createHttpBank(options: HttpBankOptions): HttpBank {
  const limits = { ...DEFAULT_LIMITS, ...options.limits };
  const { origin, basePath } = readBaseUrl(options.baseUrl);
  const dispatcher = options.dispatcher ?? createBankAgent(limits);

  function transferPath(reference: string): string {
    if (!REFERENCE_PATTERN.test(reference)) throw new RangeError('not a reference of ours');
    return `${basePath}/transfers/${reference}`;
  }

  return {
    name: options.name,
    // A bank that serves no such rail rejects the transfer.
    capabilities: { rails: 'ALL' },

    encode: encodeTransfer,

    async submit({ reference, encodedTransfer }, { timeoutMs }) {
      const path = transferPath(reference);
      const outcome = await exchange(dispatcher, {
        origin,
        path,
        method: 'PUT',
        body: encodedTransfer,
        timeoutMs,
        bodyBytesMax: limits.answerBytesMax,
      });
      return judgeSubmit(outcome, reference);
    },

    async ask(reference, { timeoutMs }) {
      const path = transferPath(reference);
      const outcome = await exchange(dispatcher, {
        origin,
        path,
        method: 'GET',
        timeoutMs,
        bodyBytesMax: limits.answerBytesMax,
      });
      return judgeAsk(outcome, reference);
    },

    async listStatements(after) {
      const outcome = await exchange(dispatcher, {
        origin,
        path: `${basePath}/statements?after=${after}`,
        method: 'GET',
        timeoutMs: limits.listTimeoutMs,
        bodyBytesMax: limits.listBytesMax,
      });
      if (outcome.kind === 'NOT_SENT' || outcome.kind === 'BROKEN') {
        throw new SourceUnreadable(outcome.why);
      }
      if (outcome.status !== 200) throw new SourceUnreadable(`HTTP_${outcome.status}`);
      if (outcome.kind === 'HALF_ANSWER') throw new SourceUnreadable(outcome.why);
      const list = readStatementList(readJsonBody(outcome), after);
      if (list === null) throw new SourceUnreadable('GARBAGE');
      return list;
    },

    readStatement(id) {
      if (!isStatementId(id)) throw new RangeError('not a statement id');
      const path = `${basePath}/statements/${id}`;
      const { statementIdleTimeoutMs: idleTimeoutMs, statementBytesMax: bytesMax } = limits;
      return parseCamt053(download(dispatcher, { origin, path, idleTimeoutMs, bytesMax }));
    },

    async close() {
      if (options.dispatcher === undefined) await dispatcher.destroy();
    },
  };
}

function createBankAgent({ connections, connectTimeoutMs }: HttpBankLimits): Agent {
  return new Agent({ pipelining: 1, connections, connect: { timeout: connectTimeoutMs } });
}

/**
 * The contract's fields in a fixed order, so that an order has one encoding. Throws RangeError for a payment to
 * a wallet, which no bank can make.
 */
function encodeTransfer(order: TransferOrder): Uint8Array {
  if (isWalletOrder(order)) throw new RangeError('a bank pays no wallet');
  const { amount, currency, rail, creditor, remittance, onBehalfOf } = order;
  const { name, account, country } = creditor;
  const transfer = {
    ...{ amount, currency, rail },
    creditor: { name, account, country },
    ...{ remittance, onBehalfOf },
  };
  return Buffer.from(JSON.stringify(transfer));
}

function readBaseUrl(baseUrl: string): { origin: string; basePath: string } {
  const url = new URL(baseUrl);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new TypeError('The URL of a bank must start with http or https.');
  }
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') {
    throw new TypeError('The URL of a bank must not contain credentials, a query, or a fragment.');
  }
  return { origin: url.origin, basePath: url.pathname.replace(/\/+$/, '') };
}
