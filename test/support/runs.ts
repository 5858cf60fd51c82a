import { inject } from 'vitest';

declare module 'vitest' {
  interface ProvidedContext {
    shareOfRuns: number;
  }
}

/** How often a property is tried: in full in the deep and long tiers, a share of it in the fast one. */
export const runs = (inFull: number): number => Math.ceil(inFull * inject('shareOfRuns'));
