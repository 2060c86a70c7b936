import type { MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';
import {
  isKycDocumentType,
  type KycDocumentType,
} from '../../../../domain/parties/kyc/kyc-document.ts';
import { PageRefusal, unreadableForm } from '../../../../web/kit/page-refusal.ts';
import { createBodyPace, UPLOAD_PACE, type BodyPace, type Pace } from './body-pace.ts';

/** Bytes of a whole request: six documents of 10 MiB, and as much again that is read and thrown away. */
const REQUEST_BYTES_MAX = 128 * 1024 * 1024;

/** A file of a form; `bytes` is null where it is larger than a document may be. */
export interface SentFile {
  readonly type: KycDocumentType;
  readonly bytes: Buffer | null;
}

/**
 * The files of a form one after the other: the next is read when the one before was dealt with. Fields that
 * were left empty are passed over; what files are called is not looked at. Throws PageRefusal for a form that
 * none of our pages sends, and for one that comes too slowly.
 */
export async function* readFiles(
  request: FastifyRequest,
  slowest: Pace = UPLOAD_PACE,
): AsyncGenerator<SentFile> {
  if (!request.isMultipart()) throw unreadableForm('It has no files.');
  // Who went away while it waited for its turn: no event tells of that any more.
  if (request.raw.destroyed) throw brokeOff();
  const pace = createBodyPace(slowest);
  limitBytes(request, pace);
  const parts = request.parts()[Symbol.asyncIterator]();
  try {
    for (;;) {
      const next = await pace.wait(parts.next());
      if (next.done === true) return;
      const part = next.value;
      const isKnown = part.type === 'file' && isKycDocumentType(part.fieldname);
      if (!isKnown) throw unreadableForm('It has a field that this page does not have.');
      const bytes = await readFile(part, pace);
      const isLeftEmpty = bytes?.length === 0 && (part.filename ?? '') === '';
      if (!isLeftEmpty) yield { type: part.fieldname as KycDocumentType, bytes };
    }
  } catch (error) {
    // Whatever else is wrong, it is with the form: the reader's own words may hold parts of it.
    throw error instanceof PageRefusal ? error : brokeOff();
  }
}

async function readFile({ file }: MultipartFile, pace: BodyPace): Promise<Buffer | null> {
  const chunks: Buffer[] = [];
  const read = async () => {
    for await (const chunk of file) chunks.push(chunk as Buffer);
  };
  await pace.wait(read());
  return file.truncated ? null : Buffer.concat(chunks);
}

/** Beside the length that a request states: one that is sent in chunks states none. */
function limitBytes({ raw }: FastifyRequest, pace: BodyPace): void {
  if (Number(raw.headers['content-length'] ?? 0) > REQUEST_BYTES_MAX) throw tooLarge();
  let received = 0;
  raw.on('data', (chunk: Buffer) => {
    received += chunk.length;
    pace.received(chunk.length);
    if (received > REQUEST_BYTES_MAX) raw.destroy();
  });
}

const brokeOff = () => unreadableForm('It broke off.');

const tooLarge = () =>
  new PageRefusal(413, 'These files are too large', 'Send one file at a time, of 10 MB at most.', {
    connection: 'close',
  });
