import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';

/** What goes wrong at which command of SMTP; `body` is the end of the mail. A relay answers all else well. */
export type Misdeed =
  | { readonly at: string; readonly answer: string }
  | { readonly at: string; readonly hang: true }
  | { readonly at: string; readonly drop: true }
  /** A byte now and then, for ever, so that the connection is never silent. */
  | { readonly at: string; readonly drip: true };

const ANSWERS: Readonly<Record<string, string>> = {
  GREETING: '220 relay.example ESMTP',
  EHLO: '250-relay.example\r\n250 AUTH PLAIN LOGIN',
  AUTH: '235 welcome',
  MAIL: '250 ok',
  RCPT: '250 ok',
  DATA: '354 go on',
  BODY: '250 queued',
  QUIT: '221 bye',
};

/** A relay on loopback that misbehaves as it is told, and keeps every mail that came to its end. */
export async function startHostileRelay(misdeed: Misdeed | null = null) {
  const state = { misdeed };
  const bodies: string[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  const timers = new Set<NodeJS.Timeout>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.setEncoding('latin1');
    const say = (at: string): void => {
      const wrong = state.misdeed?.at === at ? state.misdeed : null;
      if (wrong === null) socket.write(`${ANSWERS[at] ?? '500 what?'}\r\n`);
      else if ('answer' in wrong) socket.write(`${wrong.answer}\r\n`);
      else if ('drop' in wrong) socket.destroy();
      else if ('drip' in wrong) timers.add(setInterval(() => socket.write('2'), 50));
    };
    let isBody = false;
    let kept = '';
    socket.on('data', (chunk) => {
      kept += String(chunk);
      for (;;) {
        const end = kept.indexOf(isBody ? '\r\n.\r\n' : '\r\n');
        if (end < 0) return;
        const piece = kept.slice(0, end);
        kept = kept.slice(end + (isBody ? 5 : 2));
        if (isBody) {
          isBody = false;
          bodies.push(piece);
          say('BODY');
          continue;
        }
        const command = piece.slice(0, 4).toUpperCase();
        commands.push(piece);
        isBody = command === 'DATA' && !(state.misdeed?.at === 'DATA');
        say(command);
      }
    });
    say('GREETING');
  });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    port,
    bodies,
    commands,
    /** From now on. */
    behave: (next: Misdeed | null) => {
      state.misdeed = next;
    },
    openConnections: () => [...sockets].filter((socket) => !socket.destroyed).length,
    async close() {
      for (const timer of timers) clearInterval(timer);
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
}
