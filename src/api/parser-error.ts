import { STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { Refusal } from '../domain/errors/refusal.ts';
import { errorAnswer, renderErrorBody } from './error-answer.ts';
import { newRequestId } from '../web/kit/http/request-id.ts';

/**
 * Answers what Node's HTTP parser could not read (a bad request line, headers beyond 16 KiB, a request
 * that never ends, one for a tunnel) in the shape of every other error, then closes the connection.
 */
export function answerParserError(error: NodeJS.ErrnoException, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const isTooLarge = error.code === 'HPE_HEADER_OVERFLOW';
  const answer = isTooLarge
    ? errorAnswer(new Refusal('payload_too_large', 'The request line and headers are too large.'))
    : errorAnswer(
        new Refusal('validation_failed', 'The request is not a well-formed HTTP request.'),
      );
  // RFC 6585 section 5 has a status of its own for headers.
  const status = isTooLarge ? 431 : answer.status;
  const requestId = newRequestId();
  const body = renderErrorBody(answer, requestId);
  const lines = [
    `HTTP/1.1 ${String(status)} ${STATUS_CODES[status] ?? ''}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${String(Buffer.byteLength(body))}`,
    `x-request-id: ${requestId}`,
    'connection: close',
  ];
  socket.end(`${lines.join('\r\n')}\r\n\r\n${body}`);
}
