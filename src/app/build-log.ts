import { dirname } from 'node:path';
import { destination, pino } from 'pino';
import { TieoutError } from '../kernel/errors.ts';
import { type RunLog, silentLog } from '../runtime/progress.ts';
import { makeFolder } from '../runtime/publish-folder.ts';

export type RunLogLevel = 'error' | 'warn' | 'info' | 'debug';

/** A log for machines. Without options there is no log; a file alone gets the level `info`. */
export type LogOptions = { readonly level: RunLogLevel | undefined; readonly file: string | undefined };

/**
 * Builds a log of JSON lines, so that a killed run leaves a record: to a file if one is named, otherwise to standard error; silent if neither a level nor a
 * file is given. A failure to write, such as a full disk, does not stop the run; it is reported when the log is closed.
 */
export const buildLog = (
  { level, file }: LogOptions,
  warn: (text: string) => void,
): { readonly log: RunLog; readonly close: () => void } => {
  if (level === undefined && file === undefined) return { log: silentLog, close: () => {} };
  const sink = file === undefined ? destination({ dest: 2, sync: true }) : fileSink(file);
  let failure: string | undefined;
  sink.on('error', ({ message }) => {
    failure = message;
  });
  sink.on('write', () => {
    failure = undefined;
  });
  const logger = pino({ level: level ?? 'info', base: null }, sink);
  const at =
    (method: 'debug' | 'info' | 'warn' | 'error') =>
    (message: string, fields: object = {}): void =>
      logger[method](fields, message);
  return {
    log: { debug: at('debug'), info: at('info'), warn: at('warn'), error: at('error') },
    close: () => {
      if (failure === undefined) {
        sink.flushSync();
        if (file !== undefined) sink.end();
        return;
      }
      // Neither a flush nor an end discards what the disk does not accept.
      sink.destroy();
      warn(`The log was not written to its end: ${file ?? 'standard error'}: ${failure}\n`);
    },
  };
};

const fileSink = (file: string): ReturnType<typeof destination> => {
  try {
    makeFolder(dirname(file));
    return destination({ dest: file, sync: true, append: true, mode: 0o600 });
  } catch (error) {
    throw new TieoutError({
      code: 'E_LOG_FILE',
      message: `${file} cannot be written (${(error as NodeJS.ErrnoException).code})`,
      nextStep: 'Name another file with --log-file',
      cause: error,
    });
  }
};
