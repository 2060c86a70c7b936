import { expect } from 'vitest';
import { sendMail } from '../../../src/modules/customers/mail/send-mail.ts';
import { createSmtpRelay } from '../../../src/adapters/mail/smtp-relay.ts';
import { startHostileRelay } from './hostile-relay.ts';
import { createMailHarness, type MailHarness } from './mail-harness.ts';

const STEP_MS = 10_000;
const OUTAGE_MS = 600_000;
/** As many as one sender has under way. */
const AT_ONCE = 20;

/** How many mails of each kind there are. */
export interface OutageSize {
  readonly notices: number;
  /** Written as the outage begins, and as many again shortly before its end. */
  readonly codes: number;
}

interface Outage {
  readonly mails: MailHarness;
  readonly relay: Awaited<ReturnType<typeof startHostileRelay>>;
  /** When a mail was handed over, by the clock that expiries are of. */
  readonly handedAt: Map<string, Date[]>;
}

/** A worker that is killed once it has handed over or tried so many mails: nothing is written down after. */
function openWorker({ mails, relay, handedAt }: Outage, diesAfter = Infinity) {
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
      const runner = async (): Promise<void> => {
        for (let id = ids.pop(); id !== undefined; id = ids.pop()) {
          await sendMail(deps, id).catch((error: unknown) => {
            if (tries < diesAfter) throw error;
          });
        }
      };
      await Promise.all(Array.from({ length: AT_ONCE }, runner));
    },
  };
}

/**
 * Mails outlive a relay that is down for ten minutes and a worker that is killed twice: each arrives, but for the codes
 * that expired meanwhile, and none after its expiry.
 */
export async function outliveOutage({ notices, codes }: OutageSize): Promise<void> {
  const mails = await createMailHarness();
  const relay = await startHostileRelay({ at: 'GREETING', drop: true });
  const handedAt = new Map<string, Date[]>();
  const outage = { mails, relay, handedAt };
  const write = (kind: 'code' | 'notice', count: number, name: string): Promise<string[]> =>
    Promise.all(
      Array.from({ length: count }, (_none, index) =>
        mails.write(kind, `${name}-${String(index)}@partner.example`),
      ),
    );
  try {
    const { clock } = mails;
    const told = await write('notice', notices, 'owner');
    const late = await write('code', codes, 'early');
    const back = new Date(clock.now().getTime() + OUTAGE_MS);
    let worker = openWorker(outage, 1.4 * (notices + 2 * codes));
    let killed = 0;
    let inTime: string[] = [];
    const restart = (diesAfter?: number): void => {
      if (!worker.isDead()) return;
      killed += 1;
      worker = openWorker(outage, diesAfter);
    };
    while (clock.now() < back) {
      await worker.work();
      restart();
      clock.advance(STEP_MS);
      if (inTime.length === 0 && back.getTime() - clock.now().getTime() <= 120_000) {
        inTime = await write('code', codes, 'recent');
      }
    }
    expect([killed, relay.bodies.length]).toEqual([1, 0]);
    relay.behave(null);
    worker = openWorker(outage, 0.3 * (notices + 2 * codes));
    for (let step = 0; step < 240 && killed < 3; step += 1) {
      await worker.work();
      restart();
      clock.advance(STEP_MS);
      const [row] = await mails.sql(
        `SELECT count(*)::int AS n FROM mails WHERE status = 'WAITING'`,
      );
      if (row?.['n'] === 0) break;
    }
    expect(killed).toBe(2);

    const sent = relay.bodies.map((body) => ({
      id: /^Message-ID: <([^@]+)@/m.exec(body)?.[1] ?? '',
      to: /^To: (.*)$/m.exec(body)?.[1]?.trim() ?? '',
    }));
    // Each arrives; what was handed over by a worker that died then arrives again, under its own id.
    expect(new Set(sent.map(({ id }) => id))).toEqual(new Set([...told, ...inTime]));
    expect(sent.length).toBeGreaterThan(notices + codes);
    expect(new Set(sent.map(({ id, to }) => `${id} ${to}`)).size).toBe(notices + codes);
    const states = await mails.sql('SELECT id, status, expires_at FROM mails');
    for (const { id, status, expires_at: expiresAt } of states) {
      expect([id, status]).toEqual([id, late.includes(String(id)) ? 'EXPIRED' : 'SENT']);
      for (const at of handedAt.get(String(id)) ?? []) {
        expect(at.getTime()).toBeLessThan((expiresAt as Date).getTime());
      }
    }
  } finally {
    await relay.close();
    await mails.close();
  }
}
