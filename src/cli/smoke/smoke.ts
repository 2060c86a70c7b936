import { CHAIN_STEPS } from './chain-steps.ts';
import { FIRST_STEPS } from './first-steps.ts';
import { createPartnerApi, type Installation } from './partner-api.ts';
import { FURTHER_STEPS, PAYMENT_STEPS } from './payment-steps.ts';
import type { SmokeDay } from './smoke-day.ts';
import { mustAnswer, takeSteps, type Step, type StepOutcome } from './step.ts';
import { openWebhookReceiver } from './webhook-receiver.ts';

interface SmokeOptions {
  readonly installation: Installation;
  /** A public address that leads to the receiver; null for its own on loopback. */
  readonly webhookUrl: string | null;
  /** Where the receiver listens on this machine; 0 picks a free port. */
  readonly webhookPort: number;
  /** How long a step waits for what must come. */
  readonly waitMs: number;
  /** Of this run alone: letters and digits. */
  readonly run: string;
}

/** The endpoint stays to be looked at; nothing is sent to it any more. */
const LAST_STEP: Step<SmokeDay> = {
  name: 'endpoint disabled',
  needs: ['webhook endpoint'],
  async take({ api, made }) {
    const path = `/webhook-endpoints/${made.get('webhook endpoint') ?? ''}`;
    const endpoint = mustAnswer(await api.patch(path, { status: 'DISABLED' }), 200, 'disabling');
    return `${String(endpoint['id'])} is ${String(endpoint['status'])}`;
  },
};

/**
 * A partner's first day at an installation, in test: what it has made stays, and what it pays is paid by the sandbox.
 * Every step is told as it ends.
 */
export async function smoke(
  { installation, webhookUrl, webhookPort, waitMs, run }: SmokeOptions,
  told: (outcome: StepOutcome) => void,
): Promise<StepOutcome[]> {
  const receiver = await openWebhookReceiver(webhookPort);
  try {
    const day: SmokeDay = {
      ...{ api: createPartnerApi(installation), receiver, waitMs, run },
      webhookUrl: webhookUrl ?? `http://127.0.0.1:${String(receiver.port)}/webhooks`,
      ...{ made: new Map(), firstAnswer: '' },
    };
    const steps = [...FIRST_STEPS, ...PAYMENT_STEPS, ...FURTHER_STEPS, ...CHAIN_STEPS, LAST_STEP];
    return await takeSteps(steps, day, told);
  } finally {
    await receiver.close();
  }
}
