import { TextDecoder } from 'node:util';
import { StatementUnreadable } from '../../domain/reconciliation/statement-unreadable.ts';

const NOWHERE = { line: 0, column: 0 };
/** An XML declaration is far shorter; what has none by then has none. */
const DECLARATION_BYTES_MAX = 1024;
const DECLARED_ENCODING = /^<\?xml\s[^>]*?\sencoding\s*=\s*["']([A-Za-z][A-Za-z0-9._-]*)["']/;

/**
 * Decodes an XML file by its byte order mark, else by its declaration, else as UTF-8 (XML 1.0,
 * appendix F). Text chunks pass as they are. Throws StatementUnreadable for an encoding that is
 * unknown or not kept.
 */
export async function* decodeXml(
  stream: AsyncIterable<Uint8Array | string>,
): AsyncGenerator<string> {
  let decoder: TextDecoder | null = null;
  let head = new Uint8Array(0);
  for await (const chunk of stream) {
    if (typeof chunk === 'string') {
      yield chunk;
      continue;
    }
    if (decoder !== null) {
      yield decode(decoder, chunk);
      continue;
    }
    head = concat(head, chunk);
    if (head.length < DECLARATION_BYTES_MAX && !hasWholeDeclaration(head)) continue;
    decoder = createDecoder(head);
    yield decode(decoder, head);
  }
  if (decoder !== null) yield decode(decoder, null);
  else if (head.length > 0) {
    decoder = createDecoder(head);
    yield decode(decoder, head) + decode(decoder, null);
  }
}

function decode(decoder: TextDecoder, bytes: Uint8Array | null): string {
  try {
    return bytes === null ? decoder.decode() : decoder.decode(bytes, { stream: true });
  } catch {
    throw new StatementUnreadable('ENCODING_BROKEN', NOWHERE);
  }
}

function createDecoder(head: Uint8Array): TextDecoder {
  try {
    return new TextDecoder(encodingOf(head), { fatal: true });
  } catch {
    throw new StatementUnreadable('ENCODING_UNKNOWN', NOWHERE);
  }
}

function encodingOf(head: Uint8Array): string {
  const [first = -1, second = -1, third = -1] = head;
  if (first === 0xef && second === 0xbb && third === 0xbf) return 'utf-8';
  if (first === 0xfe && second === 0xff) return 'utf-16be';
  if (first === 0xff && second === 0xfe) return 'utf-16le';
  if (first === 0x00 && second === 0x3c) return 'utf-16be';
  if (first === 0x3c && second === 0x00) return 'utf-16le';
  const declared = DECLARED_ENCODING.exec(asLatin1(head))?.[1] ?? 'utf-8';
  // A bank that serialises into a string first declares "utf-16" and then writes UTF-8: these bytes
  // could be read this far, so UTF-16 they are not.
  return /^utf-?16/i.test(declared) ? 'utf-8' : declared;
}

function hasWholeDeclaration(head: Uint8Array): boolean {
  return head.length >= 4 && head.includes(0x3e);
}

function asLatin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1');
}

function concat(left: Uint8Array, right: Uint8Array): Uint8Array<ArrayBuffer> {
  const whole = new Uint8Array(left.length + right.length);
  whole.set(left);
  whole.set(right, left.length);
  return whole;
}
