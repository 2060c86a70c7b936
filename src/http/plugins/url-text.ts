import { Refusal, type Problem } from '../../domain/errors/refusal.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import type { App } from '../deps.ts';
import { findUnstorableText } from '../storable-text.ts';

/** Refuses URLs whose text could not be kept or compared, and HTTP/1.1 requests without a Host. */
export function installUrlText(app: App): void {
  app.addHook('onRequest', async (request) => {
    // RFC 9112 section 3.2 asks for 400; Node's own check would answer without a body.
    if (request.raw.httpVersion === '1.1' && request.headers.host === undefined) {
      throw new Refusal('invalid_parameter', 'The Host header is missing.', [
        { path: '/header/Host', code: 'invalid_parameter', message: 'This header is required.' },
      ]);
    }
    const problems: Problem[] = [
      ...queryEncodingProblems(request.url),
      ...findUnstorableText(request.query, '/query', 'invalid_parameter'),
      ...findUnstorableText(request.params, '/path', 'invalid_parameter'),
    ];
    if (problems.length > 0) throw refuseProblems(problems);
  });
}

// Fastify's parser keeps a part that it cannot decode as it is: "%ff" would become three characters.
function queryEncodingProblems(url: string): Problem[] {
  const start = url.indexOf('?');
  if (start === -1) return [];
  try {
    decodeURIComponent(url.slice(start + 1));
    return [];
  } catch {
    const message = 'The percent-encoding is not UTF-8.';
    return [{ path: '/query', code: 'invalid_parameter', message }];
  }
}
