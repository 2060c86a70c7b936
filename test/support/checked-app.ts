import type { IncomingMessage, ServerResponse } from 'node:http';
import type { InjectOptions } from 'fastify';
import { buildApp } from '../../src/api/app.ts';
import type { HttpDeps } from '../../src/api/deps.ts';
import type { App } from '../../src/web/kit/http/app-type.ts';
import { documentationProblem, expectDocumented } from './documented-answers.ts';

/**
 * The HTTP surface, every answer of which is held against the document. What is injected throws where it was
 * asked for; what came over a connection throws when the app is closed.
 */
export function buildCheckedApp(deps: HttpDeps): App {
  const app = buildApp(deps);
  const [inject, close] = [app.inject.bind(app), app.close.bind(app)];
  const problems: string[] = [];
  const checkedInject = async (request: InjectOptions | string) => {
    const answer = await inject(request);
    const { method = 'GET', url = '/' } = describe(request);
    expectDocumented({
      ...{ method, url, status: answer.statusCode },
      ...{ headers: answer.headers, body: answer.body },
    });
    return answer;
  };
  const checkedClose = async () => {
    await close();
    if (problems.length > 0) throw new Error(problems.join('\n'));
  };
  app.server.prependListener('request', (request, response) => {
    listen(request, response, (problem) => problems.push(problem));
  });
  return Object.assign(app, { inject: checkedInject as App['inject'], close: checkedClose });
}

function describe(request: InjectOptions | string): { method?: string; url?: string } {
  if (typeof request === 'string') return { url: request };
  const { method, url, path } = request;
  const place = url ?? path;
  return { ...(method && { method }), ...(typeof place === 'string' && { url: place }) };
}

/** Reads along what is written, and judges it once all of it is. */
function listen(
  { method = 'GET', url = '/' }: IncomingMessage,
  response: ServerResponse,
  report: (problem: string) => void,
): void {
  const chunks: Buffer[] = [];
  const keep = (chunk: unknown) => {
    if (typeof chunk === 'string' || chunk instanceof Uint8Array) chunks.push(Buffer.from(chunk));
  };
  for (const name of ['write', 'end'] as const) {
    const original = response[name].bind(response) as (...given: unknown[]) => never;
    response[name] = (...given: unknown[]) => {
      keep(given[0]);
      return original(...given);
    };
  }
  let written: object = {};
  const writeHead = response.writeHead.bind(response) as (...given: unknown[]) => never;
  response.writeHead = (...given: unknown[]) => {
    const last = given.at(-1);
    if (typeof last === 'object' && last !== null) written = last;
    return writeHead(...given);
  };
  response.on('finish', () => {
    const problem = documentationProblem({
      ...{ method, url, status: response.statusCode },
      headers: { ...response.getHeaders(), ...written },
      body: Buffer.concat(chunks).toString(),
    });
    if (problem !== null) {
      report(`${method} ${url} answered ${response.statusCode}, other than documented: ${problem}`);
    }
  });
}
