import { readStuckSections } from '../../modules/payments/stuck-payments.ts';
import type { OpsDeps } from './command-context.ts';
import { formatSection } from './stuck-section.ts';

/** What waits for a human, as text: see `readStuckSections`. */
export async function showStuckPayments(
  deps: Pick<OpsDeps, 'db' | 'clock' | 'print'>,
  limit: number,
): Promise<void> {
  const sections = await readStuckSections(deps, limit);
  const texts = sections.map(formatSection).filter((text) => text !== null);
  deps.print(texts.length === 0 ? 'No payment needs an operator.' : texts.join('\n\n'));
}
