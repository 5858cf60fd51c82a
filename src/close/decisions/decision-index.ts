import { parseVersion } from '../../kernel/amended-version.ts';
import type { CalendarDate } from '../../kernel/calendar.ts';
import { bareName as bare } from '../sales/record-id.ts';
import type { Decision } from './decision.ts';
import type { Verdict } from './verdict.ts';

/** Looks up decisions by record or by cause. */
export type DecisionIndex = {
  /**
   * All decisions about a record, under any of these names, with one of these codes. With the day of the record, only
   * those that can be about it: none of a period that was over before.
   */
  readonly ofRecord: (
    names: readonly string[],
    codes: readonly string[],
    day?: CalendarDate,
  ) => readonly Decision[];
  readonly ofCause: (key: string) => Decision | undefined;
  /** The decision about exactly what is stated of a record, of whatever period its line was. */
  readonly ofStated: (code: string, record: string, stated: string) => Decision | undefined;
};

export const decisionIndex = (decisions: readonly Decision[]): DecisionIndex => {
  const causes = new Map(decisions.filter(({ cause }) => cause !== '').map((one) => [one.cause, one]));
  const unbound = decisions.filter(({ stated }) => stated === undefined);
  const records = Map.groupBy(
    unbound.flatMap((decision) => decision.records.map((record) => ({ name: bare(record), decision }))),
    ({ name }) => name,
  );
  return {
    ofRecord: (names, codes, day) =>
      names.flatMap((name) => {
        const found = records.get(bare(name)) ?? [];
        return found.flatMap(({ decision }) =>
          isAbout(decision, codes) && !isOverBefore(decision, day) ? [decision] : [],
        );
      }),
    ofCause: (key) => causes.get(key),
    ofStated: (code, record, stated) =>
      decisions.find((one) => one.stated === stated && one.code === code && one.records.includes(record)),
  };
};

const isAbout = ({ code, verdict }: Decision, codes: readonly string[]): boolean =>
  codes.includes(code) || codes.includes(BECOMES[verdict] ?? '');

const isOverBefore = ({ period }: Decision, day: CalendarDate | undefined): boolean => {
  const last = parseVersion(period)?.last;
  return day !== undefined && last !== undefined && last < day;
};

/** The code of an exception after its decision is applied. */
const BECOMES: Partial<Readonly<Record<Verdict, string>>> = {
  split: 'refund-prorated',
  'set-by-hand': 'R23',
};
