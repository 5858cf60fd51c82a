/** What a run tells the person or the mail that watches it. Figures for machines go elsewhere. */
export type Progress = {
  /** A stage begins. */
  readonly started: (stage: string) => void;
  /** Records done so far in the stage; `total` when it is known. */
  readonly advanced: (stage: string, done: number, total?: number) => void;
  /** The stage is done; `summary` is a short clause such as `321 orders, 25 refunds`. */
  readonly finished: (stage: string, summary: string) => void;
};

export const silentProgress: Progress = { started: () => {}, advanced: () => {}, finished: () => {} };

const CLEAR_LINE = '\r\u001b[2K';

/** One line that is rewritten in place, for a terminal. */
export const terminalProgress = (write: (text: string) => void): Progress => ({
  started: (stage) => write(`${CLEAR_LINE}  ${stage} …`),
  advanced: (stage, done, total) =>
    write(`${CLEAR_LINE}  ${stage} … ${done}${total === undefined ? '' : ` of ${total}`}`),
  finished: (stage, summary) => write(`${CLEAR_LINE}  ${stage.padEnd(10)} ${summary}\n`),
});

/** One plain line for each stage that is done, for logs and cron mail. */
export const plainProgress = (write: (text: string) => void): Progress => ({
  started: () => {},
  advanced: () => {},
  finished: (stage, summary) => write(`${stage}: ${summary}\n`),
});
