/** What a finding about a missing rate prints: the columns of a rate file, and the line of its place. */
type Reason = {
  readonly what: string;
  readonly todo: string;
};

/** The lines for a rate file that the findings of a close print, as they stand there. */
export const rateLinesOf = ({
  readiness,
}: {
  readonly readiness: { readonly reasons: readonly Reason[] };
}): readonly string[] =>
  readiness.reasons.flatMap(({ what }) => /rate file: `(.*)`\.$/.exec(what)?.[1] ?? []);

/** The text of a rate file out of these findings, with the source that a person fills in. */
export const rateFileOf = (
  figures: { readonly readiness: { readonly reasons: readonly Reason[] } },
  source: string,
): string => {
  const columns = figures.readiness.reasons.flatMap(({ todo }) => /under `(.*?)`/.exec(todo)?.[1] ?? []);
  const lines = rateLinesOf(figures).map((line) => line.replace(/,,shop$/, `,${source},shop`));
  return [...new Set(columns), ...lines, ''].join('\n');
};
