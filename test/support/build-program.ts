import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** Tests that start processes run what users run: the build, made again where a source is newer. */
export const setup = (): void => {
  const script = fileURLToPath(new URL('../../scripts/build.js', import.meta.url));
  execFileSync(process.execPath, [script, '--if-stale'], { stdio: 'inherit' });
};
