/** The payment systems that corridors run over. */
export const RAILS = ['SEPA', 'ACH', 'FPS'] as const;

export type Rail = (typeof RAILS)[number];

/** Narrows request text to a rail. Upper case only. */
export function isRail(text: string): text is Rail {
  return (RAILS as readonly string[]).includes(text);
}
