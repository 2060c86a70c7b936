import { choice } from './setting-types.ts';

const LOG_LEVELS = ['info', 'fatal', 'error', 'warn', 'debug', 'trace', 'silent'] as const;

export const LOG_LEVEL = choice(
  'LOG_LEVEL',
  LOG_LEVELS,
  `${LOG_LEVELS.map((level) => `\`${level}\``).join(', ')}. The local run uses \`warn\`.`,
);
