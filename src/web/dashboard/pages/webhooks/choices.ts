/** For how long the secret before signs too, in hours. */
export const OVERLAPS = [
  { value: '0', text: 'no time: it ends at once' },
  { value: '1', text: '1 hour' },
  { value: '24', text: '24 hours' },
  { value: '72', text: '3 days' },
  { value: '168', text: '7 days' },
] as const;

/** How far back, in hours. Events are kept for 90 days. */
export const SPANS = [
  { value: '1', text: 'hour' },
  { value: '24', text: '24 hours' },
  { value: '72', text: '3 days' },
  { value: '168', text: '7 days' },
  { value: '720', text: '30 days' },
  { value: '2160', text: '90 days' },
] as const;
