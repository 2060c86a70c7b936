/** The pictures of guides, by their files below `docs/`: drawings, whose size is that of their `viewBox`. */
export const PICTURE_FILES: readonly string[] = [
  'pictures/test-and-live-keys.svg',
  'pictures/quickstart.svg',
  'pictures/payment-states.svg',
  'pictures/webhook-delivery.svg',
];
