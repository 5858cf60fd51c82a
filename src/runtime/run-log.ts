import type { Progress } from './progress.ts';

/** Data of a log line. It never holds a key, and no more of a sale than its id. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** Where a run writes down what it does, for machines: a sentence with its data in fields. */
export type RunLog = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

export const silentLog: RunLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Tell the log what is told to anyone who watches, too. `about` says which entity or period it is. */
export const loggedProgress = (progress: Progress, log: RunLog, about: LogFields): Progress => ({
  started: (stage) => {
    log.debug('a stage begins', { ...about, stage });
    progress.started(stage);
  },
  advanced: (stage, done, total) => {
    log.debug('a batch is done', { ...about, stage, done, ...(total !== undefined && { total }) });
    progress.advanced(stage, done, total);
  },
  finished: (stage, summary) => {
    log.info('a stage is done', { ...about, stage, summary });
    progress.finished(stage, summary);
  },
});
