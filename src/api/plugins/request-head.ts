import type { IncomingMessage } from 'node:http';
import { Refusal, type Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import { countHeader } from '../../web/kit/http/count-header.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { isReadableQuery } from '../../web/kit/http/readable-query.ts';
import { findUnstorableText } from '../../web/kit/http/storable-text.ts';

// RFC 9110 section 5.3: they hold one value each. Node keeps the first, a proxy before us maybe the last.
const ONCE_AT_MOST: readonly string[] = ['host', 'authorization', 'content-type'];

/**
 * Refuses URLs whose text could not be kept or compared, HTTP/1.1 requests without a Host, and those
 * with two values where one of them would have to be guessed.
 */
export function installRequestHead(app: App): void {
  app.addHook('onRequest', async (request) => {
    // RFC 9112 section 3.2 asks for 400; Node's own check would answer without a body.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new Refusal('invalid_parameter', 'The Host header is missing.', [
        { path: '/header/host', code: 'invalid_parameter', message: 'This header is required.' },
      ]);
    }
    const problems: Problem[] = [
      ...repeatedHeaderProblems(request.raw),
      ...queryEncodingProblems(request.url),
      ...findUnstorableText(request.query, '/query', 'invalid_parameter'),
      ...findUnstorableText(request.params, '/path', 'invalid_parameter'),
    ];
    if (problems.length > 0) throw refuseProblems(problems);
  });
}

function repeatedHeaderProblems(raw: IncomingMessage): Problem[] {
  return ONCE_AT_MOST.filter((name) => countHeader(raw, name) > 1).map((name) => {
    const message = 'The header must not occur more than once.';
    return { path: `/header/${name}`, code: 'invalid_parameter', message };
  });
}

function queryEncodingProblems(url: string): Problem[] {
  if (isReadableQuery(url)) return [];
  const message = 'The percent-encoding is not valid UTF-8.';
  return [{ path: '/query', code: 'invalid_parameter', message }];
}
