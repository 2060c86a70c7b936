import { BadInput, NOT_FOUND, answerJson } from '../sandbox-server.ts';
import type { SandboxHandler, SandboxReply, SandboxRequest } from '../sandbox-server.ts';
import { readArming, type ArmedFaults } from './armed-faults.ts';
import { readAdvance, type createBankControl } from './bank-control.ts';
import type { BankJournal } from './bank-journal.ts';
import { renderCamt053 } from './camt053.ts';
import { isDepositId, readDepositRequest, type DepositService } from './deposit-service.ts';
import { readFaultOrder } from './faults.ts';
import type { FaultQueue } from './faults.ts';
import { countMoney, renderCounts } from './money-count.ts';
import type { StatementService } from './statement-service.ts';
import type { TransferService } from './transfer-service.ts';
import { isReference, readTransferRequest } from './transfer-request.ts';

const STATEMENTS_PER_ANSWER = 1_000;

interface BankRoutesDeps {
  readonly journal: BankJournal;
  readonly transfers: TransferService;
  readonly statements: StatementService;
  readonly deposits: DepositService;
  readonly faults: FaultQueue;
  /** What partners may direct; null at a bank that plays a live one. */
  readonly directed: {
    readonly armed: ArmedFaults;
    readonly advance: ReturnType<typeof createBankControl>;
  } | null;
}

/**
 * The bank's contract, and beside it what only a sandbox offers. `/deposits`, `/armed-faults` and `/advances` are for
 * partners, by way of the API; `/journal` and `/faults` for tests and operators.
 */
export function createBankRoutes(deps: BankRoutesDeps): SandboxHandler {
  const { journal, transfers, statements, deposits, faults, directed } = deps;

  async function listStatements(query: URLSearchParams): Promise<SandboxReply> {
    const after = query.get('after') ?? '0';
    if (!/^\d{1,15}$/.test(after)) throw new BadInput(400, 'after', 'must be a sequence number');
    const cuts = await statements.list(Number(after), STATEMENTS_PER_ANSWER);
    const data = cuts.map(({ id, sequence, account, from, to }) => {
      return { id, sequence, account, from, to };
    });
    return answerJson(200, { data });
  }

  async function readStatement(id: string): Promise<SandboxReply> {
    const found = await statements.find(id);
    if (found === null) return NOT_FOUND;
    const chunks = renderCamt053(found.cut, found.movements);
    return { kind: 'TEXT', status: 200, contentType: 'application/xml; charset=utf-8', chunks };
  }

  async function readJournal(query: URLSearchParams): Promise<SandboxReply> {
    await journal.flush();
    const { state } = journal;
    const reference = query.get('reference');
    if (reference !== null) {
      const counts = countMoney(state, reference);
      return answerJson(200, { ...counts, facts: state.factsOf(reference) });
    }
    const chunks = renderCounts(state, query.get('prefix') ?? '');
    return { kind: 'TEXT', status: 200, contentType: 'application/json; charset=utf-8', chunks };
  }

  async function direct({ method, path, query, body }: SandboxRequest): Promise<SandboxReply> {
    if (directed === null) return NOT_FOUND;
    const [resource = '', id] = path;
    switch (`${method} ${resource}${id === undefined ? '' : '/:id'}`) {
      case 'PUT armed-faults/:id':
        return directed.armed.arm(readArming(id ?? '', body));
      case 'GET armed-faults':
        return directed.armed.list(query.get('onBehalfOf') ?? '');
      case 'POST advances':
        return directed.advance(readAdvance(body));
      default:
        return NOT_FOUND;
    }
  }

  return async (request) => {
    const { method, path, query, body } = request;
    const [resource = '', id, ...more] = path;
    if (more.length > 0) return NOT_FOUND;
    switch (`${method} ${resource}${id === undefined ? '' : '/:id'}`) {
      case 'PUT transfers/:id':
        if (!isReference(id ?? '')) throw new BadInput(400, 'reference', 'must be [A-Z0-9]{1,35}');
        return transfers.put(id ?? '', readTransferRequest(body));
      case 'GET transfers/:id':
        return transfers.get(id ?? '');
      case 'GET statements':
        return listStatements(query);
      case 'GET statements/:id':
        return readStatement(id ?? '');
      case 'PUT deposits/:id':
        if (!isDepositId(id ?? ''))
          throw new BadInput(400, 'deposit', 'must be [A-Za-z0-9_-]{1,60}');
        return deposits.put(id ?? '', readDepositRequest(body));
      case 'DELETE deposits/:id':
        return deposits.reverse(id ?? '');
      case 'GET journal':
        return readJournal(query);
      case 'GET faults':
        return answerJson(200, { data: faults.pending() });
      case 'POST faults':
        faults.order(readFaultOrder(body));
        return answerJson(202, { data: faults.pending() });
      case 'DELETE faults':
        faults.clear();
        return answerJson(200, { data: [] });
      case 'GET health':
        return answerJson(200, { status: 'ok' });
      default:
        return direct(request);
    }
  };
}
