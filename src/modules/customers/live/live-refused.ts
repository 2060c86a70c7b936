/** Why a step to live cannot be taken: a sentence for who asked. Nothing was changed. */
export class LiveRefused extends Error {
  override readonly name = 'LiveRefused';
}
