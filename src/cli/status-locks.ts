import { type LockLine, versionLabel } from '../close/evidence/lock-line.ts';
import type { LateLine } from '../close/figures/late-line.ts';
import type { LockedPeriod } from '../periods/folders.ts';

const DIGEST_SHOWN = 12;
const RECORDS_SHOWN_MAX = 5;

/** The locks of an entity, what waits for a decision about them, and their history. */
export type LockStatus = {
  readonly versions: readonly LockedPeriod[];
  /** The lines of the register about the entity. */
  readonly lines: readonly LockLine[];
  /** What came late for locked periods and is open in the books of a later one. */
  readonly late: readonly LateLine[];
};

/** Lists for people the locked periods, what came late for them, and the history of all periods. */
export const lockLines = (status: LockStatus): readonly string[] => [
  ...status.versions.flatMap((version) => [
    `${version.name.padEnd(18)} locked, manifest ${(lockOf(version, status)?.manifest ?? '').slice(0, DIGEST_SHOWN)}`,
    ...waitingLines(recordsOf(version, status)),
  ]),
  ...status.lines.map((line) => {
    const { what, by, at, why } = line;
    const name = `${by.name}${by.role === '' ? '' : ` as ${by.role}`}`;
    const reason = why === '' ? '' : `: ${why}`;
    return `${versionLabel(line).padEnd(18)} ${what} on ${at.slice(0, 16).replace('T', ' ')} UTC by ${name}${reason}`;
  }),
];

const waitingLines = (records: readonly string[]): readonly string[] => {
  if (records.length === 0) return [];
  const more = records.length - RECORDS_SHOWN_MAX;
  const named = [...records.slice(0, RECORDS_SHOWN_MAX), ...(more > 0 ? [`and ${more} more`] : [])];
  return [`${' '.repeat(18)} came late, to be decided: ${named.join(', ')}`];
};

/** The records that came late for a version in effect. */
const recordsOf = ({ label, name }: LockedPeriod, { versions, late }: LockStatus): readonly string[] => {
  if (versions.findLast((version) => version.label === label)?.name !== name) return [];
  return [...new Set(late.filter(({ period }) => period === label).map(({ record }) => record))];
};

const lockOf = ({ name }: LockedPeriod, { lines }: LockStatus): LockLine | undefined =>
  lines.findLast((line) => line.what === 'locked' && versionLabel(line) === name);

/** Returns the same as JSON. */
export const lockObjects = (status: LockStatus): object => ({
  locks: status.versions.map((version) => {
    const { name, label, version: number } = version;
    const digest = lockOf(version, status)?.manifest;
    return {
      ...{ label: name, period: label, version: number, state: 'locked', digest },
      signatures: status.lines
        .filter((line) => line.what === 'signed' && versionLabel(line) === name && line.manifest === digest)
        .map(({ by, at }) => ({ role: by.role, name: by.name, at, with_key: by.signature !== null })),
      late: { undecided: recordsOf(version, status) },
    };
  }),
  events: status.lines.map((line) => ({
    ...{ period: versionLabel(line), what: line.what, at: line.at },
    ...{ who: line.by.name, role: line.by.role, why: line.why },
  })),
});
