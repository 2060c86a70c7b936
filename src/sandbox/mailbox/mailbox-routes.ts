import {
  answerJson,
  BadInput,
  NOT_FOUND,
  type SandboxHandler,
  type SandboxReply,
} from '../sandbox-server.ts';
import type { CaughtMails } from './caught-mail.ts';
import { renderList, renderMail } from './mailbox-pages.ts';
import { listShape, messageShape } from './mailpit-shapes.ts';

const LIST_DEFAULT = 50;
const LIST_MAX = 1_000;

/** Names of this machine: a page elsewhere that has its name lead here must not read codes. */
const LOCAL_HOST = /^(([a-z0-9-]+\.)?localhost|127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?$/i;

/** The pages, and Mailpit's `GET` and `DELETE /api/v1/messages`, `GET /search?query=` and `GET /message/{id}`. */
export function createMailboxRoutes(mails: CaughtMails): SandboxHandler {
  const html = (chunks: Iterable<string>): SandboxReply => ({
    ...{ kind: 'TEXT', status: 200, contentType: 'text/html; charset=utf-8', chunks },
  });
  const list = (query: URLSearchParams, wanted: string): SandboxReply => {
    const start = readCount(query, 'start', 0, Number.MAX_SAFE_INTEGER);
    const limit = readCount(query, 'limit', LIST_DEFAULT, LIST_MAX);
    return answerJson(
      200,
      listShape(mails.search(wanted), mails.search('').length, { start, limit }),
    );
  };
  return async ({ method, path, query, headers }) => {
    if (!LOCAL_HOST.test(headers.host ?? '')) {
      return answerJson(421, {
        error: 'wrong_host',
        message: 'The mailbox answers only to host names of this machine.',
      });
    }
    const api = path[0] === 'api' && path[1] === 'v1';
    const [resource = '', id = '', more, ...rest] = api ? path.slice(2) : path;
    if (rest.length > 0) return NOT_FOUND;
    const mail = mails.find(id);
    switch (`${method} ${api ? 'api ' : ''}${resource}`) {
      case 'GET health':
        return answerJson(200, { status: 'ok' });
      case 'GET api messages':
        return list(query, '');
      case 'GET api search':
        return list(query, query.get('query') ?? '');
      case 'DELETE api messages':
        mails.clear();
        return answerJson(200, 'ok');
      case 'GET api message':
        return mail === undefined || more !== undefined
          ? NOT_FOUND
          : answerJson(200, messageShape(mail));
      case 'GET ':
        return html(renderList(mails.search('')));
      case 'GET view':
        if (mail === undefined) return NOT_FOUND;
        if (more === 'html') return html([mail.html]);
        return more === undefined ? html(renderMail(mail)) : NOT_FOUND;
      default:
        return NOT_FOUND;
    }
  };
}

function readCount(query: URLSearchParams, name: string, fallback: number, max: number): number {
  const text = query.get(name);
  if (text === null) return fallback;
  const count = /^[0-9]{1,15}$/.test(text) ? Number(text) : -1;
  if (count < 0 || count > max) throw new BadInput(400, name, `must be 0 to ${String(max)}`);
  return count;
}
