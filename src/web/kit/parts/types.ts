import type { ComponentChildren } from 'preact';

/** What may stand inside a part. */
export type Children = ComponentChildren;
