/** The payment systems that corridors run over. */
export const rails = ['SEPA', 'ACH', 'FPS'] as const;

export type Rail = (typeof rails)[number];

/** Narrows request text to a rail. Upper case only. */
export function isRail(text: string): text is Rail {
  return (rails as readonly string[]).includes(text);
}
