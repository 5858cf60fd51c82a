import type { Instant } from '../../kernel/calendar.ts';
import { compareText } from '../../kernel/text.ts';
import type { Stated } from './read-statement.ts';

/** What tells whether two statements of one number are of one record. */
export type Created = Pick<Stated, 'uniqueId'> & { readonly at: Instant; readonly lockedAs?: string };

/** The statements of one record among those of its number, and why that may be another record. */
export type NumberedRecord<Statement> = {
  readonly statements: readonly Statement[];
  /** Set if it is not certain whether this is a record of its own; `with` is the statement it may belong to. */
  readonly doubt?: { readonly with: Statement; readonly isSameId: boolean };
};

/** Two moments of one creation are at most this far apart: an export may have days in UTC, another local times. */
const CREATION_MS = 36 * 3_600_000;

export const isSameMoment = (one: Instant, other: Instant): boolean => Math.abs(one - other) <= CREATION_MS;

/** Whether nothing tells two statements apart: they are as old, and have the same id, or one of them has none. */
export const agree = (one: Created, other: Created): boolean =>
  isSameMoment(one.at, other.at) &&
  (one.uniqueId === other.uniqueId || one.uniqueId === '' || other.uniqueId === '');

/**
 * Divides the statements of one number into records, the earliest first. Two statements are of one record when the moments of creation
 * agree and no unique id says otherwise. Where an id or its absence contradicts the moment, the later record is
 * doubtful, and a locked one never.
 *
 * @param restarts whether the numbers of the channel start again, so that another creation alone is another record
 */
export const recordsOfNumber = <Statement extends Created>(
  statements: readonly Statement[],
  restarts: boolean,
): readonly NumberedRecord<Statement>[] => {
  const records: Statement[][] = [];
  const ambiguous = new Map<Statement[], Statement>();
  const inOrder = [...statements].sort(
    (one, other) => Number(one.uniqueId === '') - Number(other.uniqueId === '') || one.at - other.at,
  );
  for (const statement of inOrder) {
    const fitting = records.filter((record) => record.some((other) => agree(other, statement)));
    const [only, another] = fitting;
    if (only && !another) {
      only.push(statement);
      continue;
    }
    const record = [statement];
    records.push(record);
    if (another?.[0]) ambiguous.set(record, another[0]);
  }
  const firstOf = (record: readonly Statement[]): Statement =>
    record.reduce((first, other) => (other.at < first.at ? other : first));
  const idOf = (record: readonly Statement[]): string =>
    record.find(({ uniqueId }) => uniqueId !== '')?.uniqueId ?? '';
  records.sort((one, other) => firstOf(one).at - firstOf(other).at || compareText(idOf(one), idOf(other)));
  return records.map((record, index) => {
    const id = idOf(record);
    const before = records.filter((other, place) =>
      isLocked(record) === isLocked(other) ? place < index : isLocked(other),
    );
    const sameId = id === '' ? undefined : before.findLast((other) => idOf(other) === id);
    const unknown = restarts ? undefined : before.findLast((other) => id === '' || idOf(other) === '');
    const other = ambiguous.get(record) ?? sameId?.[0] ?? unknown?.[0];
    if (other === undefined) return { statements: record };
    return { statements: record, doubt: { with: other, isSameId: sameId !== undefined } };
  });
};

const isLocked = (record: readonly Created[]): boolean =>
  record.some(({ lockedAs }) => lockedAs !== undefined);

/**
 * Returns the record that something later belongs to, such as a refund: the last one created before it. Returns
 * `undefined` where none was, or where another one is as likely, because it was created at nearly the same time.
 */
export const lastCreatedBefore = <Item extends { readonly at: Instant }>(
  records: readonly Item[],
  at: Instant,
): Item | undefined => {
  const [last, ...others] = records
    .filter((record) => record.at <= at || isSameMoment(record.at, at))
    .sort((one, other) => other.at - one.at);
  const isSure =
    others.length === 0 ||
    (last && last.at <= at && !others.some((other) => isSameMoment(other.at, last.at)));
  return isSure ? last : undefined;
};
