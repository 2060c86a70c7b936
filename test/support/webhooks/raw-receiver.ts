import { createServer, type AddressInfo, type Socket } from 'node:net';

/** A receiver that speaks bytes, so that it can say what no HTTP server would. */
export interface RawReceiver {
  readonly url: string;
  readonly port: number;
  /** The resource's id of every complete request, in the order of arrival. */
  readonly requests: string[];
  /** Connections that are open. */
  readonly open: Set<Socket>;
  /** What becomes of a new connection; nothing unless told. */
  onConnection: (socket: Socket) => void;
  /** What is said to a complete request about a resource; 204 unless told. */
  onRequest: (socket: Socket, resourceId: string) => void;
  close(): Promise<void>;
}

export const NO_CONTENT = 'HTTP/1.1 204 No Content\r\n\r\n';

/** Starts one on loopback. Its sockets die with it. */
export async function startRawReceiver(): Promise<RawReceiver> {
  const open = new Set<Socket>();
  const requests: string[] = [];
  // Answers may outlive the request's end, and the other side's close must be seen.
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    socket.on('close', () => open.delete(socket)).on('error', () => {});
    socket.on('end', () => socket.end());
    receiver.onConnection(socket);
    let text = '';
    socket.on('data', (bytes) => {
      text += bytes.toString('latin1');
      const request = readRequest(text);
      if (request === null) return;
      text = '';
      requests.push(request);
      receiver.onRequest(socket, request);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const receiver: RawReceiver = {
    ...{ url: `http://127.0.0.1:${String(port)}/hooks`, port, requests, open },
    onConnection: () => {},
    onRequest: (socket) => socket.write(NO_CONTENT),
    async close() {
      for (const socket of open) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
  return receiver;
}

/** The id of the resource that a whole request is about; null while more of it is to come. */
function readRequest(text: string): string | null {
  const [head = '', body] = text.split('\r\n\r\n', 2);
  const length = Number(/^content-length: (\d+)/im.exec(head)?.[1]);
  if (body === undefined || body.length < length) return null;
  return (JSON.parse(body) as { resource: { id: string } }).resource.id;
}

/** Writes the same again and again, as fast as it is taken, until the other side cuts. */
export function flood(socket: Socket, bytes: string | Buffer): void {
  const more = () => {
    while (!socket.destroyed && socket.write(bytes));
    if (!socket.destroyed) socket.once('drain', more);
  };
  more();
}

/** Writes a little again and again, slowly. */
export function trickle(socket: Socket, bytes: string): void {
  const timer = setInterval(() => socket.write(bytes), 20);
  socket.on('close', () => {
    clearInterval(timer);
  });
}
