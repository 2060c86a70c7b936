import type { Socket } from 'node:net';

/** One answer as it comes over the wire: head, framing, trailers and whatever announces it (1xx). */
const WIRE_BYTES_MAX = 128 * 1_024;

/** The receiver sent more than an answer may have. */
export class AnswerTooLong extends Error {
  readonly code = 'ANSWER_TOO_LONG';
}

/**
 * Cuts a connection whose peer sends more than 128 KiB for one request. The limits on head and body do not see
 * what is neither: interim answers, a reason phrase or chunk extensions without end would keep the
 * process busy until the deadline. Bytes count from the first look after something was written, so a
 * connection may serve any number of requests.
 */
export function limitAnswers(socket: Socket): void {
  let written = socket.bytesWritten;
  let readBefore = socket.bytesRead;
  let read = readBefore;
  socket.on('readable', () => {
    // Once: Node adds up what it still has to write.
    const { bytesWritten } = socket;
    if (bytesWritten !== written) {
      written = bytesWritten;
      readBefore = read;
    }
    read = socket.bytesRead;
    if (read - readBefore > WIRE_BYTES_MAX) socket.destroy(new AnswerTooLong('answer too long'));
  });
}
