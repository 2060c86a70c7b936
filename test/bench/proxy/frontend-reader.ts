/** What a client of PostgreSQL says, as far as it matters for counting statements. */
export type FrontendMessage =
  | { readonly kind: 'QUERY'; readonly text: string }
  | { readonly kind: 'PARSE'; readonly statement: string; readonly text: string }
  | { readonly kind: 'BIND'; readonly portal: string; readonly statement: string }
  | { readonly kind: 'EXECUTE'; readonly portal: string }
  | { readonly kind: 'SYNC' };

/** Protocol 3.x begins so; what comes before it (SSLRequest, GSSENCRequest) has the same form. */
const PROTOCOL_MAJOR = 3;
const LENGTH_BYTES = 4;

/**
 * Reads the client's side of one connection by PostgreSQL's documentation, "Message Formats" of the
 * frontend/backend protocol 3. Give it every chunk as it comes; a message may be cut anywhere.
 */
export function createFrontendReader(
  onMessage: (message: FrontendMessage) => void,
): (chunk: Buffer) => void {
  let rest: Buffer = Buffer.alloc(0);
  let isStarted = false;

  return (chunk) => {
    rest = rest.length === 0 ? chunk : Buffer.concat([rest, chunk]);
    for (;;) {
      // The first messages have no type; later ones have one byte of it before the length.
      const typeBytes = isStarted ? 1 : 0;
      if (rest.length < typeBytes + LENGTH_BYTES) return;
      const end = typeBytes + rest.readUInt32BE(typeBytes);
      if (rest.length < end) return;
      const body = rest.subarray(typeBytes + LENGTH_BYTES, end);
      if (!isStarted) isStarted = body.readUInt16BE(0) === PROTOCOL_MAJOR;
      else {
        const message = readMessage(String.fromCharCode(rest[0] ?? 0), body);
        if (message !== null) onMessage(message);
      }
      rest = rest.subarray(end);
    }
  };
}

function readMessage(type: string, body: Buffer): FrontendMessage | null {
  switch (type) {
    case 'Q':
      return { kind: 'QUERY', text: textAt(body, 0) };
    case 'P': {
      const statement = textAt(body, 0);
      const text = textAt(body, Buffer.byteLength(statement) + 1);
      return { kind: 'PARSE', statement, text };
    }
    case 'B': {
      const portal = textAt(body, 0);
      const statement = textAt(body, Buffer.byteLength(portal) + 1);
      return { kind: 'BIND', portal, statement };
    }
    case 'E':
      return { kind: 'EXECUTE', portal: textAt(body, 0) };
    case 'S':
      return { kind: 'SYNC' };
    default:
      return null;
  }
}

/** The text that begins there and ends with a zero byte. */
function textAt(body: Buffer, start: number): string {
  const end = body.indexOf(0, start);
  return body.toString('utf8', start, end < 0 ? body.length : end);
}
