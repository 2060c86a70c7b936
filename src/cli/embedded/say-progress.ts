/**
 * Says a line to a person. One that is `moving` tells how far long work is and takes the place of the
 * moving one before it; its share is between 0 and 1, or null where nobody knows.
 */
export type SayProgress = (line: string, moving?: { readonly share: number | null }) => void;
