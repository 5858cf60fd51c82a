import { execFileSync } from 'node:child_process';
import { closeSync, openSync } from 'node:fs';
import { onTestFinished } from 'vitest';

/** Let a file be another one for a test, or until it is unmounted. Only root may; `undefined` where that is refused. */
export const mountedOver = (path: string, other: string): { readonly unmount: () => void } | undefined => {
  closeSync(openSync(path, 'a'));
  try {
    execFileSync('mount', ['--bind', other, path], { stdio: 'ignore' });
  } catch {
    return undefined;
  }
  let isMounted = true;
  const unmount = () => {
    if (isMounted) execFileSync('umount', [path]);
    isMounted = false;
  };
  onTestFinished(unmount);
  return { unmount };
};
