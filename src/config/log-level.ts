import type { Variables } from './variables.ts';

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

export type LogLevel = (typeof LOG_LEVELS)[number];

export function readLogLevel(variables: Variables): LogLevel {
  return variables.choice('LOG_LEVEL', LOG_LEVELS, 'info');
}
