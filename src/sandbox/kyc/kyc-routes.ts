import { BadInput, NOT_FOUND, answerJson } from '../sandbox-server.ts';
import type { SandboxHandler, SandboxReply } from '../sandbox-server.ts';
import type { CheckService } from './check-service.ts';
import { renderHostedPage } from './hosted-page.ts';
import type { Check, CheckType, KycState } from './kyc-state.ts';

export interface KycRoutesDeps {
  readonly state: KycState;
  readonly service: CheckService;
  /** Resolves when everything that may be shown is on disk. */
  readonly flush: () => Promise<void>;
  /** Where the hosted pages are reached, without a slash at its end. */
  readonly publicUrl: () => string;
}

export function createKycRoutes(deps: KycRoutesDeps): SandboxHandler {
  const { state, service, flush, publicUrl } = deps;

  function show(status: 200 | 201, { id, reference, current }: Check): SandboxReply {
    const { version, reasons } = current;
    const url = `${publicUrl()}/hosted/${id}`;
    return answerJson(status, { id, reference, status: current.status, reasons, version, url });
  }

  async function put(reference: string, body: unknown): Promise<SandboxReply> {
    if (!/^[A-Za-z0-9_-]{1,100}$/.test(reference)) {
      throw new BadInput(400, 'reference', 'must be [A-Za-z0-9_-]{1,100}');
    }
    const { type, lastName } = readStart(body);
    const known = state.check(reference);
    if (known === undefined) return show(201, await service.start(reference, type, lastName));
    if (known.type !== type) {
      const message = 'the reference belongs to a check of another type';
      return answerJson(409, { error: 'reference_taken', message });
    }
    await flush();
    return show(200, known);
  }

  return async ({ method, path, body }) => {
    const [resource = '', id = '', ...more] = path;
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
