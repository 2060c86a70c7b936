/** What a sandbox server writes to; a pino logger fits. Never given names or account numbers. */
export interface SandboxLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}
