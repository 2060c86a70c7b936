import { connect } from 'node:net';
import type { DocumentScanner, ScanVerdict } from '../../domain/parties/kyc/document-scanner.ts';

interface ClamdAddress {
  readonly host: string;
  readonly port: number;
}

/** For a whole scan: 10 MB take a second or two. */
const SCAN_WITHIN_MS = 20_000;
/** Of one part of the stream. */
const PART_BYTES = 65_536;
/** The daemon names what it found; a longer answer is none of its. */
const ANSWER_LENGTH_MAX = 1_024;

/**
 * Asks clamd over TCP (clamd(8), command INSTREAM): parts with their lengths before them, and an empty one at the end.
 * Whatever is no clear answer is NOT_SCANNED.
 */
export function createClamdScanner(
  { host, port }: ClamdAddress,
  scanWithinMs = SCAN_WITHIN_MS,
): DocumentScanner {
  return {
    scan: (bytes) =>
      new Promise((resolve) => {
        const socket = connect({ host, port });
        let answer = '';
        const end = (verdict: ScanVerdict) => {
          clearTimeout(timer);
          resolve(verdict);
          socket.destroy();
        };
        const timer = setTimeout(() => {
          end('NOT_SCANNED');
        }, scanWithinMs);
        socket.on('error', () => {
          end('NOT_SCANNED');
        });
        socket.on('data', (data: Buffer) => {
          answer += data.toString('latin1');
          if (answer.length > ANSWER_LENGTH_MAX) end('NOT_SCANNED');
        });
        socket.on('close', () => {
          end(readAnswer(answer));
        });
        socket.on('connect', () => {
          for (const part of partsOf(bytes)) socket.write(part);
        });
      }),
  };
}

function* partsOf(bytes: Uint8Array): Generator<Uint8Array> {
  yield Buffer.from('zINSTREAM\0');
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = bytes.subarray(at, at + PART_BYTES);
    yield lengthOf(part.length);
    yield part;
  }
  yield lengthOf(0);
}

function lengthOf(length: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(length);
  return bytes;
}

function readAnswer(answer: string): ScanVerdict {
  const text = answer.replace(/\0$/, '');
  if (text === 'stream: OK') return 'CLEAN';
  return /^stream: .+ FOUND$/.test(text) ? 'HARMFUL' : 'NOT_SCANNED';
}
