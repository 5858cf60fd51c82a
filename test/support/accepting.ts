type Accepted = {
  readonly record: string;
  readonly code: string;
  readonly why: string;
};

/** The text of a decision file in which these records of a period are accepted. */
export const accepting = (period: string, ...rows: readonly Accepted[]): string =>
  [
    'key,records,decision,why',
    ...rows.map(({ record, code, why }) => `"${period} ${code} of ${record}","${record}",Accept,${why}`),
    '',
  ].join('\n');
