import { createSocket } from 'node:dgram';
import { decode, encode, RECURSION_DESIRED, type Answer } from 'dns-packet';

/** A name server on loopback that speaks the protocol over UDP, and answers what the test says. */
export interface NameServer {
  /** As a resolver takes it: address and port. */
  readonly address: string;
  /** Every question, as "A name", in the order in which they came. */
  readonly asked: string[];
  /** The records of a question; none is NXDOMAIN, null is no answer at all, a number an error code. */
  answer: (type: string, name: string) => readonly Answer[] | number | null;
  close(): Promise<void>;
}

const NXDOMAIN = 3;

export async function startNameServer(): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked: string[] = [];
  socket.on('message', (bytes, from) => {
    const { id, questions = [] } = decode(bytes);
    const [question] = questions;
    if (question === undefined) return;
    asked.push(`${question.type} ${question.name}`);
    const said = server.answer(question.type, question.name);
    if (said === null) return;
    const answers = typeof said === 'number' ? [] : [...said];
    const code = typeof said === 'number' ? said : 0;
    // The low four bits of the flags are the error code.
    const flags = RECURSION_DESIRED | code;
    socket.send(
      encode({ type: 'response', id, flags, questions, answers }),
      from.port,
      from.address,
    );
  });
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const server: NameServer = {
    address: `127.0.0.1:${String(socket.address().port)}`,
    asked,
    answer: () => NXDOMAIN,
    close: () =>
      new Promise((resolve) =>
        socket.close(() => {
          resolve();
        }),
      ),
  };
  return server;
}

/** Records of one name: an address of each family, or the name that it stands for. */
export const record = (name: string, data: string, ttl = 0): Answer =>
  data.includes(':')
    ? { name, type: 'AAAA', ttl, data }
    : /^[\d.]+$/.test(data)
      ? { name, type: 'A', ttl, data }
      : { name, type: 'CNAME', ttl, data };
