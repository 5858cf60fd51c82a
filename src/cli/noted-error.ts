import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { formatInstant, type Instant, parseInstant } from '../kernel/calendar.ts';
import { designedError } from '../kernel/disk-failure.ts';
import { exists } from '../runtime/exists.ts';

/** The error of a configuration that could not be read, and when it first occurred. */
export type NotedError = { readonly code: string; readonly message: string; readonly at: Instant };

/**
 * Returns the path of the note, in a folder next to the configuration, which names no folder of state if it is unreadable.
 */
const noteOf = (config: string): string =>
  join(dirname(resolve(config)), '.tieout', `${basename(config)}.error.json`);

export const notedError = async (config: string): Promise<NotedError | undefined> => {
  try {
    const { code, message, at } = JSON.parse(await readFile(noteOf(config), 'utf8')) as Record<
      string,
      string
    >;
    const instant = parseInstant(at ?? '');
    return code && message && instant !== undefined ? { code, message, at: instant } : undefined;
  } catch {
    return undefined;
  }
};

/** Writes the note. If it cannot be written, the error is printed each time. */
export const noteError = async (config: string, error: unknown, now: Instant): Promise<void> => {
  const designed = designedError(error);
  if (!designed || designed.recovery === 'usage') return;
  const { code, message } = designed;
  const note = noteOf(config);
  try {
    if (await exists(config)) await mkdir(dirname(note), { recursive: true });
    await writeFile(note, `${JSON.stringify({ code, message, at: formatInstant(now) })}\n`, { mode: 0o600 });
  } catch {}
};

/** Removes the note. Problems of its folder are reported by the command itself. */
export const forgetError = (config: string): Promise<void> =>
  rm(noteOf(config), { force: true }).catch(() => {});
