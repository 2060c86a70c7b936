/** Whether this run plays a campaign at its full size: `npm run campaign`. `npm run test:volume` plays the short forms. */
const isCampaign = process.env['CAMPAIGN'] !== undefined;

/** How much a test does: its short form in `npm run test:volume`, its full size in a campaign. */
export const sizeOf = (short: number, full: number): number => (isCampaign ? full : short);

/** What decides every choice of a test; `--seed` of a campaign chooses another. */
export const seedOf = (shipped: number): number =>
  Number(process.env['CAMPAIGN_SEED'] ?? String(shipped));
