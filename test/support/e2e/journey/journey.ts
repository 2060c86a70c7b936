import type { Page } from 'playwright-core';
import type { Receiver } from '../../webhooks/receiver.ts';
import type { Stack } from '../stack.ts';
import type { Person } from './people.ts';

/** A company on its way from the public form to a live payment, and the two operators who let it. */
export interface Journey {
  readonly stack: Stack;
  readonly company: string;
  readonly owner: Person;
  readonly first: Person;
  readonly second: Person;
  readonly receiver: Receiver;
  /** Tokens and secrets that pages showed, each of them once. */
  readonly shown: string[];
  /** Paths of the pages that were looked at so far. */
  readonly looked: readonly string[];
  /** Judges a page as it stands; `name` is what its pictures are called. */
  readonly look: (page: Page, name: string) => Promise<void>;
  /** Pages keep themselves fresh; without JavaScript they are loaded again. */
  readonly isFresh: boolean;
}
