import { afterAll, beforeAll, expect, it } from 'vitest';
import { sendMail } from '../../src/mail/send-mail.ts';
import { createSmtpRelay } from '../../src/providers/mail/smtp-relay.ts';
import { startHostileRelay } from './hostile-relay.ts';
import { createMailHarness, type MailHarness } from './mail-harness.ts';

const NOTICES = 440;
const CODES = 30;
const STEP_MS = 10_000;
const OUTAGE_MS = 600_000;
/** As many as one sender has under way. */
const AT_ONCE = 20;

let mails: MailHarness;
let relay: Awaited<ReturnType<typeof startHostileRelay>>;
beforeAll(async () => {
  mails = await createMailHarness();
  relay = await startHostileRelay({ at: 'GREETING', drop: true });
});
afterAll(async () => {
  await relay.close();
  await mails.close();
});

/** When a mail was handed over, by the clock that expiries are of. */
const handedAt = new Map<string, Date[]>();

/** A worker that is killed once it has handed over or tried so many mails: nothing is written down after. */
function openWorker(diesAfter = Infinity) {
  const { vault, clock, database } = mails;
  let tries = 0;
  const system: typeof database.people.system = (work) =>
    tries >= diesAfter
      ? Promise.reject(new Error('the worker is dead'))
      : database.people.system(work);
  const smtp = createSmtpRelay({
    ...{ host: '127.0.0.1', port: relay.port, tls: 'NONE', from: 'no-reply@causeway.example' },
  });
  const deps = {
    ...{ db: { system }, vault, clock },
    relay: {
      async send(...[mail, timeoutMs]: Parameters<typeof smtp.send>) {
        const outcome = await smtp.send(mail, timeoutMs);
        tries += 1;
        if (outcome.kind === 'ACCEPTED') {
          handedAt.set(mail.id, [...(handedAt.get(mail.id) ?? []), clock.now()]);
        }
        return outcome;
      },
    },
  };
  return {
    isDead: () => tries >= diesAfter,
    /** Tries all that is due. */
    async work(): Promise<void> {
      const due = await mails.sql(
        `SELECT id FROM mails WHERE status = 'WAITING' AND (due_at <= $1 OR expires_at <= $1)
           AND (leased_until IS NULL OR leased_until <= $1) ORDER BY id`,
        [clock.now()],
      );
      const ids = due.map(({ id }) => String(id));
      const lane = async (): Promise<void> => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          await sendMail(deps, id).catch((error: unknown) => {
            if (tries < diesAfter) throw error;
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, lane));
    },
  };
}

const write = (kind: 'code' | 'notice', count: number, name: string): Promise<string[]> =>
  Promise.all(
    Array.from({ length: count }, (_none, index) =>
      mails.write(kind, `${name}-${String(index)}@partner.example`),
    ),
  );

it('500 mails outlive a relay that is down for ten minutes and a worker that is killed twice', async () => {
  const { clock } = mails;
  const notices = await write('notice', NOTICES, 'owner');
  const late = await write('code', CODES, 'early');
  const back = new Date(clock.now().getTime() + OUTAGE_MS);
  let worker = openWorker(700);
  let killed = 0;
  let inTime: string[] = [];
  const restart = (diesAfter?: number): void => {
    if (!worker.isDead()) return;
    killed += 1;
    worker = openWorker(diesAfter);
  };
  while (clock.now() < back) {
    await worker.work();
    restart();
    clock.advance(STEP_MS);
    if (inTime.length === 0 && back.getTime() - clock.now().getTime() <= 120_000) {
      inTime = await write('code', CODES, 'recent');
    }
  }
  expect([killed, relay.bodies.length]).toEqual([1, 0]);
  relay.behave(null);
  worker = openWorker(150);
  for (let step = 0; step < 240 && killed < 3; step += 1) {
    await worker.work();
    restart();
    clock.advance(STEP_MS);
    const [row] = await mails.sql(`SELECT count(*)::int AS n FROM mails WHERE status = 'WAITING'`);
    if (row?.['n'] === 0) break;
  }
  expect(killed).toBe(2);

  const sent = relay.bodies.map((body) => ({
    id: /^Message-ID: <([^@]+)@/m.exec(body)?.[1] ?? '',
    to: /^To: (.*)$/m.exec(body)?.[1]?.trim() ?? '',
  }));
  // Each arrives; what was handed over by a worker that died then arrives again, under its own id.
  expect(new Set(sent.map(({ id }) => id))).toEqual(new Set([...notices, ...inTime]));
  expect(sent.length).toBeGreaterThan(NOTICES + CODES);
  expect(new Set(sent.map(({ id, to }) => `${id} ${to}`)).size).toBe(NOTICES + CODES);
  const states = await mails.sql('SELECT id, status, expires_at FROM mails');
  for (const { id, status, expires_at: expiresAt } of states) {
    expect([id, status]).toEqual([id, late.includes(String(id)) ? 'EXPIRED' : 'SENT']);
    for (const at of handedAt.get(String(id)) ?? []) {
      expect(at.getTime()).toBeLessThan((expiresAt as Date).getTime());
    }
  }
});
