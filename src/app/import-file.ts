import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { TieoutError } from '../kernel/errors.ts';

/**
 * Imports a user's file. Wherever the file is, `tieout` in it resolves to this running program, installed or not, and
 * never to a second copy.
 *
 * @throws {TieoutError} E_PIPELINE when it does not exist or cannot be loaded
 */
export const importFile = async (file: string): Promise<Readonly<Record<string, unknown>>> => {
  if (!existsSync(file))
    throw problem(`${file}: there is no such file`, 'Name a file that exports a pipeline');
  const own = new URL('../index.ts', import.meta.url).href;
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'tieout' ? { url: own, shortCircuit: true } : next(specifier, context),
  });
  try {
    return (await import(pathToFileURL(resolve(file)).href)) as Readonly<Record<string, unknown>>;
  } catch (error) {
    const said = error instanceof Error ? error.message : String(error);
    throw problem(`${file}: it cannot be loaded: ${said.split('\n')[0]}`, nextStepFor(said), error);
  } finally {
    hooks.deregister();
  }
};

/** Returns advice. Unless a package.json says otherwise, Node treats `.ts` and `.js` files as CommonJS. */
const nextStepFor = (said: string): string =>
  said.includes('outside a module')
    ? 'Name the file .mts, or write "type": "module" into the package.json beside it'
    : 'Correct the file';

const problem = (message: string, nextStep: string, cause?: unknown): TieoutError =>
  new TieoutError({ code: 'E_PIPELINE', recovery: 'usage', message, nextStep, cause });
