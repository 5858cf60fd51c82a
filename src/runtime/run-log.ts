import type { Progress } from './progress.ts';

/** Fields of a log line. They never contain a key, and nothing of a sale but its id. */
export type LogFields = Readonly<Record<string, string | number | boolean | null>>;

/** The log of a run, for machines: a sentence with its data in fields. */
export type RunLog = {
  readonly debug: (message: string, fields?: LogFields) => void;
  readonly info: (message: string, fields?: LogFields) => void;
  readonly warn: (message: string, fields?: LogFields) => void;
  readonly error: (message: string, fields?: LogFields) => void;
};

export const silentLog: RunLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

/** Write all progress to the log as well. `about` names the entity or period. */
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
