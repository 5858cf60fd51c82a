import { type Verified, type VerifyOptions, verifyEvidence } from '../../close/evidence/verify-evidence.ts';
import { othersHere, startThread } from '../../runtime/thread.ts';
import { sharedSumming } from './shared-summing.ts';

/** Starting a thread takes about as long as verifying one small period, so each should get several. */
const FOLDERS_PER_THREAD = 3;

/**
 * Verifies folders of periods in parallel: this thread and others each take the next one; the results keep the folders'
 * order. If there are few folders, the other threads sum the sales of each.
 */
export const verifyFolders = async (
  folders: readonly string[],
  options: VerifyOptions,
): Promise<readonly Verified[]> => {
  const verified: Verified[] = [];
  const remaining = folders.entries();
  const takeTurns = async (verify: (folder: string) => Promise<Verified>): Promise<void> => {
    for (const [index, folder] of remaining) verified[index] = await verify(folder);
  };
  const here = Math.max(0, othersHere());
  const others = Math.min(here, Math.floor(folders.length / FOLDERS_PER_THREAD));
  const withSumming = others === 0 && here > 0 ? sharedSumming(here) : undefined;
  const threads = Array.from({ length: others }, () =>
    startThread(new URL('./verify-thread.ts', import.meta.url), options),
  );
  try {
    await Promise.all([
      takeTurns((folder) => verifyEvidence(folder, options, withSumming)),
      ...threads.map(({ ask }) => takeTurns((folder) => ask(folder) as Promise<Verified>)),
    ]);
  } finally {
    await Promise.all(threads.map(({ close }) => close()));
  }
  return verified;
};
