import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createMailDispatch } from '../../../src/modules/customers/mail/dispatch-mails.ts';
import { sendMail } from '../../../src/modules/customers/mail/send-mail.ts';
import { createSmtpRelay } from '../../../src/adapters/mail/smtp-relay.ts';
import { startHostileRelay } from '../../support/customers/hostile-relay.ts';
import { createMailHarness, type MailHarness } from '../../support/customers/mail-harness.ts';

let mails: MailHarness;
let relay: Awaited<ReturnType<typeof startHostileRelay>>;
beforeEach(async () => {
  mails = await createMailHarness();
  relay = await startHostileRelay();
});
afterEach(async () => {
  await relay.close();
  await mails.close();
});

/** A process that sends mails, whose Temporal takes starts, or does not. */
function openWeb(temporal: { isUp: boolean }) {
  const started: string[] = [];
  let asked = 0;
  const { vault, clock } = mails;
  const db = mails.database.people;
  const smtp = createSmtpRelay({
    ...{ host: '127.0.0.1', port: relay.port, tls: 'NONE', from: 'no-reply@causeway.example' },
  });
  const dispatch = createMailDispatch({
    ...{ db, clock },
    workflows: {
      startMail(id) {
        asked += 1;
        if (!temporal.isUp) return Promise.reject(new Error('Temporal is down'));
        started.push(id);
        return Promise.resolve();
      },
    },
    send: (id) => sendMail({ db, vault, clock, relay: smtp }, id),
    onFailure: () => undefined,
  });
  return { dispatch, started, asked: () => asked };
}

const idsOf = (bodies: readonly string[]) =>
  bodies.map((body) => /^Message-ID: <([^@]+)@/m.exec(body)?.[1]);

describe('web hands a mail on', () => {
  it('to Temporal, and sends nothing itself', async () => {
    const web = openWeb({ isUp: true });
    const id = await mails.write('code');
    web.dispatch.dispatch(id, 'req_1');
    await web.dispatch.drained();
    expect(web.started).toEqual([id]);
    expect(relay.bodies).toEqual([]);
  });

  it('while Temporal is down by sending it, asking Temporal once, not once a mail', async () => {
    const web = openWeb({ isUp: false });
    const ids = [];
    for (let count = 0; count < 20; count += 1) ids.push(await mails.write('code'));
    web.dispatch.dispatch(ids[0] ?? '', 'req_1');
    await web.dispatch.drained();
    for (const id of ids.slice(1)) web.dispatch.dispatch(id, 'req_1');
    await web.dispatch.drained();
    expect(idsOf(relay.bodies).sort()).toEqual([...ids].sort());
    expect(web.asked()).toBe(1);
  });

  it('to Temporal again soon after it is back', async () => {
    const temporal = { isUp: false };
    const web = openWeb(temporal);
    web.dispatch.dispatch(await mails.write(), 'req_1');
    await web.dispatch.drained();
    temporal.isUp = true;
    mails.clock.advance(5_000);
    const id = await mails.write();
    web.dispatch.dispatch(id, 'req_1');
    await web.dispatch.drained();
    expect(web.started).toEqual([id]);
  });

  it('that another web lost before it died, or that its relay put off, while Temporal is down', async () => {
    const lost = await mails.write('code');
    const web = openWeb({ isUp: false });
    relay.behave({ at: 'RCPT', answer: '451 later' });
    const putOff = await mails.write('code');
    web.dispatch.dispatch(putOff, 'req_1');
    await web.dispatch.drained();
    relay.behave(null);
    await web.dispatch.rescue();
    expect(relay.bodies).toEqual([]);
    mails.clock.advance(15_000);
    await web.dispatch.rescue();
    expect(idsOf(relay.bodies).sort()).toEqual([lost, putOff].sort());
    await web.dispatch.rescue();
    expect(relay.bodies).toHaveLength(2);
  });

  it('twice where the answer to the first was lost, under one Message-ID', async () => {
    const web = openWeb({ isUp: false });
    relay.behave({ at: 'BODY', drop: true });
    const id = await mails.write();
    web.dispatch.dispatch(id, 'req_1');
    await web.dispatch.drained();
    relay.behave(null);
    mails.clock.advance(15_000);
    await web.dispatch.rescue();
    expect(idsOf(relay.bodies)).toEqual([id, id]);
    expect(await mails.stateOf(id)).toMatchObject({ status: 'SENT', tries: 2 });
  });

  it('that has expired not at all, though no process had looked at it', async () => {
    const id = await mails.write('code');
    const web = openWeb({ isUp: false });
    mails.clock.advance(400_000);
    await web.dispatch.rescue();
    expect(relay.bodies).toEqual([]);
    expect(await mails.stateOf(id)).toMatchObject({ status: 'EXPIRED', isForgotten: true });
  });
});
