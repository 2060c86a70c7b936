import { fileURLToPath } from 'node:url';

/** The list of the sandbox: made-up names that hit, and nothing else. See docs/reference/screening.md. */
export const SHIPPED_LIST = fileURLToPath(new URL('./sandbox-list.json', import.meta.url));
