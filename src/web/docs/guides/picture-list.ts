/** The pictures of guides, by their files below `docs/`: drawings, whose size is that of their `viewBox`. */
export const PICTURE_FILES: readonly string[] = [
  'pictures/kinds-of-keys.svg',
  'pictures/quickstart.svg',
  'pictures/way-of-a-payment.svg',
  'pictures/way-of-a-webhook.svg',
];
