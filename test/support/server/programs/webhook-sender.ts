import { openWebhookClient } from '../../../../src/modules/webhooks/safe-fetch.ts';

// Sends one webhook after the other, some side by side, to each URL that the parent names, until as many have
// been answered as it wants, and tells how much memory that took.

const [countText = '', sideBySideText = '', ...urls] = process.argv.slice(2);
const sideBySide = Number(sideBySideText);
const client = openWebhookClient({
  policy: { isLive: false, allowLoopback: true },
  clock: { now: () => new Date() },
  connectionsMax: sideBySide,
  timeoutMs: 3_000,
});
let peakMb = 0;
const memoryMb = () => process.memoryUsage().rss / 1_048_576;

/** What became of so many, by code. */
async function sendTo(url: string): Promise<Record<string, number>> {
  const codes: Record<string, number> = {};
  let left = Number(countText);
  const sendMany = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      const result = await client.post(url, {}, '{"resource":{"id":"pay_a"}}');
      const code = result.kind === 'FAILED' ? result.code : String(result.status);
      codes[code] = (codes[code] ?? 0) + 1;
      peakMb = Math.max(peakMb, memoryMb());
    }
  };
  await Promise.all(Array.from({ length: sideBySide }, sendMany));
  return codes;
}

// What the first connection and the first parser take is no growth.
await client.post(urls[0] ?? '', {}, '{"resource":{"id":"pay_a"}}');
const watch = setInterval(() => {
  peakMb = Math.max(peakMb, memoryMb());
}, 20);
const beforeMb = memoryMb();
const codes: Record<string, number>[] = [];
for (const url of urls) codes.push(await sendTo(url));
clearInterval(watch);
await client.close();
process.stdout.write(JSON.stringify({ codes, growthMb: peakMb - beforeMb }));
