import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import { ScopeBusy } from '../../db/client/outage.ts';
import { Refusal } from '../../domain/errors/refusal.ts';
import type { ErrorCode } from '../../domain/errors/registry.ts';
import { refuseProblems } from '../../domain/errors/refuse-problems.ts';
import type { App } from '../../web/kit/http/app-type.ts';
import { errorAnswer, renderErrorBody } from '../error-answer.ts';
import { validationProblems } from '../validation-problems.ts';
import { describeFault } from '../../web/kit/http/describe-fault.ts';

/** Makes every error leave in one shape, wherever it was thrown. Must be installed on the root. */
export function installErrors(app: App): void {
  // Refusals do not carry 4xx in Fastify's sense, so that it never writes a body of its own.
  app.setSchemaErrorFormatter((errors, part) => refuseProblems(validationProblems(errors, part)));
  app.setErrorHandler((error, request, reply) => sendError(error, request, reply));
}

const codes = new WeakMap<FastifyRequest, ErrorCode>();

/** The code that a request was refused with; null where it was not. */
export const errorCodeOf = (request: FastifyRequest): ErrorCode | null =>
  codes.get(request) ?? null;

/** Answers with what was thrown. Also used where no route was found or the URL is malformed. */
function sendError(error: unknown, request: FastifyRequest, reply: FastifyReply) {
  const answer = errorAnswer(error);
  codes.set(request, answer.error);
  // A busy scope is foreseen: nothing of where it happened is worth knowing.
  if (error instanceof ScopeBusy) request.log.warn({ fault: { name: error.name } }, answer.error);
  else if (answer.status >= 500) request.log.error({ fault: describeFault(error) }, answer.error);
  return reply
    .code(answer.status)
    .headers(answer.headers)
    .type('application/json; charset=utf-8')
    .serializer(String)
    .send(renderErrorBody(answer, request.id));
}

/** For URLs that the router cannot read: no hook has run, so the request id is set here. */
export function sendFrameworkError(
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): void {
  void reply.header('x-request-id', request.id);
  const isBadUrl = error.code === 'FST_ERR_BAD_URL';
  const refusal = new Refusal('invalid_parameter', 'The URL is malformed.', [
    {
      path: '/path',
      code: 'invalid_parameter',
      message: 'The percent-encoding is not valid UTF-8.',
    },
  ]);
  void sendError(isBadUrl ? refusal : error, request, reply);
}
