import { createHash } from 'node:crypto';
import { BadInput, NOT_FOUND, answerJson } from '../sandbox-server.ts';
import type { SandboxHandler, SandboxReply, SandboxRequest } from '../sandbox-server.ts';
import type { CheckService } from './check-service.ts';
import { renderHostedPage } from './hosted-page.ts';
import { DOCUMENTS_ASKED, readMovedStatus, type CheckStatus } from './kyc-outcome.ts';
import type { Check, CheckType, KycState } from './kyc-state.ts';

interface KycRoutesDeps {
  readonly state: KycState;
  readonly service: CheckService;
  /** Resolves when everything that may be shown is on disk. */
  readonly flush: () => Promise<void>;
  /** Where the hosted pages are reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

export function createKycRoutes(deps: KycRoutesDeps): SandboxHandler {
  const { state, service, flush, publicUrl } = deps;

  function show(status: 200 | 201, { id, reference, type, current }: Check): SandboxReply {
    const { version, reasons } = current;
    const documents = DOCUMENTS_ASKED[type];
    const url = `${publicUrl()}/hosted/${id}`;
    return answerJson(status, {
      ...{ id, reference, status: current.status, reasons, version, url, documents },
    });
  }

  async function put(reference: string, body: unknown): Promise<SandboxReply> {
    requireReference(reference);
    const { type, lastName } = readStart(body);
    const known = state.check(reference);
    if (known === undefined) return show(201, await service.start(reference, type, lastName));
    if (known.type !== type) {
      const message = 'The reference belongs to a check of another type.';
      return answerJson(409, { error: 'reference_taken', message });
    }
    await flush();
    return show(200, known);
  }

  async function putDocument(request: SandboxRequest): Promise<SandboxReply> {
    const [, reference = '', , documentId = ''] = request.path;
    const check = state.check(reference);
    if (check === undefined) return NOT_FOUND;
    if (!(request.body instanceof Buffer)) throw new BadInput(400, 'body', 'not a picture or PDF');
    const type = request.query.get('type') ?? '';
    if (!/^[A-Z_]{1,40}$/.test(type)) throw new BadInput(400, 'type', 'must be [A-Z_]{1,40}');
    const hash = createHash('sha256').update(request.body);
    const sha256 = hash.copy().digest('hex');
    if (request.headers['content-digest'] !== `sha-256=:${hash.digest('base64')}:`) {
      throw new BadInput(400, 'content-digest', 'is not that of the body');
    }
    const known = check.documents.get(documentId);
    if (known === undefined) await service.addDocument(check, { documentId, type, sha256 });
    if (known !== undefined && known !== sha256) {
      const message = 'The ID belongs to another document.';
      return answerJson(409, { error: 'document_taken', message });
    }
    await flush();
    return answerJson(known === undefined ? 201 : 200, { reference, id: documentId });
  }

  async function putStatus({ path: [, reference = ''], body }: SandboxRequest) {
    requireReference(reference);
    const status = readMovedStatus((body as { readonly status?: unknown } | null)?.status);
    if (status === null) throw new BadInput(400, 'status', 'is none that a check is moved to');
    const check = state.check(reference);
    if (check === undefined) {
      const isNoted = await service.orderAhead(reference, status);
      return isNoted ? answerJson(202, { reference, status }) : noWayFrom('PENDING');
    }
    const isThere = await service.direct(check, status);
    await flush();
    return isThere ? show(200, check) : noWayFrom(check.current.status);
  }

  return async (request) => {
    const { method, path, body } = request;
    const [resource = '', id = '', ...more] = path;
    const isDocument = resource === 'checks' && more.length === 2 && more[0] === 'documents';
    if (method === 'PUT' && isDocument) return putDocument(request);
    const isStatus = resource === 'checks' && more.length === 1 && more[0] === 'status';
    if (method === 'PUT' && isStatus) return putStatus(request);
    if (more.length > 0) return NOT_FOUND;
    switch (`${method} ${resource}`) {
      case 'PUT checks':
        return put(id, body);
      case 'GET checks': {
        const check = state.check(id);
        await flush();
        return check === undefined ? NOT_FOUND : show(200, check);
      }
      case 'GET hosted': {
        const check = state.checkById(id);
        if (check === undefined) return NOT_FOUND;
        const chunks = renderHostedPage(check);
        return { kind: 'TEXT', status: 200, contentType: 'text/html; charset=utf-8', chunks };
      }
      case 'GET health':
        return answerJson(200, { status: 'ok' });
      default:
        return NOT_FOUND;
    }
  };
}

function requireReference(reference: string): void {
  if (/^[A-Za-z0-9_-]{1,100}$/.test(reference)) return;
  throw new BadInput(400, 'reference', 'must be [A-Za-z0-9_-]{1,100}');
}

const noWayFrom = (status: CheckStatus): SandboxReply =>
  answerJson(409, {
    error: 'not_possible',
    status,
    message: `A check with the status ${status} cannot change to this status.`,
  });

function readStart(body: unknown): { type: CheckType; lastName: string } {
  if (typeof body !== 'object' || body === null) throw new BadInput(400, 'body', 'not an object');
  const { type, lastName } = body as Record<string, unknown>;
  if (type !== 'INDIVIDUAL' && type !== 'BUSINESS') {
    throw new BadInput(400, 'type', 'must be INDIVIDUAL or BUSINESS');
  }
  if (typeof lastName !== 'string' || lastName.length < 1 || lastName.length > 200) {
    throw new BadInput(400, 'lastName', 'must be a text of 1 to 200 characters');
  }
  return { type, lastName };
}
