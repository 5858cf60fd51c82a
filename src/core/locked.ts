import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RecomputeFigures } from '../ask/plan-calculations.ts';
import { CreateTransaction, type NewTransaction, type Order } from '../contract/transaction.ts';
import { wireTransaction } from '../contract/wire.ts';
import { type Entry, providerIn, type Recorded } from '../evidence/entry.ts';
import type { Leaves } from '../evidence/manifest.ts';
import { checkRecords, readManifest, recompute } from '../evidence/verify-files.ts';
import { calendarDate } from '../kernel/calendar.ts';
import { DefectError } from '../kernel/errors.ts';
import { isWithin } from '../kernel/period.ts';
import { shownNumber } from '../kernel/text.ts';
import { type ClosePorts, isEmbedded } from '../periods/close-ports.ts';
import { lockedEntries } from '../periods/fold.ts';
import type { LockedPeriod } from '../periods/folders.ts';
import type { StageRunner } from '../runtime/pipeline.ts';
import { filesBelow } from '../runtime/publish-folder.ts';
import { listing, type Named } from './listing.ts';
import { NONE, noneOf, type SubmitFigures, type WrittenReport } from './outcome.ts';

/**
 * Closes a locked period again: not a byte of its folder changes, and nothing is asked. A ledger of our own that was
 * emptied gets the records of its entries back as the folder has them; to a remote service nothing is sent.
 */
export const closeLocked = async (run: StageRunner, ports: ClosePorts, locked: LockedPeriod) => {
  const { folder, name } = locked;
  const created = isEmbedded(ports) ? await restoreRecords(ports, locked) : 0;
  const report = await reportOfFolder(ports, folder);
  const again = created > 0 ? `; ${shownNumber(created, 'record')} created again` : '';
  const value: WrittenReport = { report, folder, files: await filesBelow(folder) };
  const written = await run.tell('report', value, `${name} is locked: its folder stays as it is${again}`);
  return {
    outdated: [],
    written,
    late: noneOf('open', 'carried', 'amended'),
    gaps: { states: [], outdated: [] },
    recomputed: NOTHING_ASKED,
    submitted: { ...NOTHING_SENT, created },
    readBack: noneOf('listed', 'read', 'unshown'),
    reconciled: NONE,
  };
};

const NOTHING_ASKED: RecomputeFigures = {
  ...noneOf('calculated', 'known', 'skipped', 'refused'),
  ...noneOf('asked', 'questions', 'questionsMax', 'cutShort'),
};
const NOTHING_SENT: SubmitFigures = noneOf(
  ...(['created', 'updated', 'adjusted', 'unchanged', 'refused', 'conflicts', 'withdrawn'] as const),
);

/** Returns the report of a locked folder, as its logs have it. */
export const reportOfFolder = async ({ state }: ClosePorts, folder: string) => {
  const manifest = await readManifest(folder);
  if (typeof manifest === 'string') throw new DefectError(`${folder} was checked: ${manifest}`);
  const detail = join(state, 'detail');
  try {
    const refunded = new Set<string>();
    const problem = await checkRecords(folder, manifest, refunded);
    const found = problem ?? (await recompute(folder, manifest, detail, refunded));
    if (typeof found === 'string') throw new DefectError(`${folder} is locked, and ${found}`);
    const { readiness, remittances } = manifest.content.leaves as Leaves;
    const { contentDigest } = manifest;
    return { ...found.report, readiness, remittances, signOff: { contentDigest } };
  } finally {
    await rm(detail, { recursive: true, force: true });
  }
};

/** Returns the records of an entry under the names that they have at the service, which keeps them under a provider. */
export const recordsOf = (
  { sale, recorded }: Entry,
  provider: string,
): readonly (Named & Pick<Recorded, 'day' | 'record'>)[] => {
  const shelf = { kind: sale.kind, provider };
  const all = recorded ? [recorded, ...(recorded.further ?? [])] : [];
  return all.map(({ day, record }) => ({ ...shelf, id: record.transaction_id, day, record }));
};

/** Creates the records of a locked period that the service does not list. Returns their number. */
export const restoreRecords = async (ports: ClosePorts, locked: LockedPeriod): Promise<number> => {
  const own = listing(ports, locked);
  const missing: NewTransaction[] = [];
  for await (const entry of lockedEntries(locked))
    for (const one of recordsOf(entry, providerIn(locked.content.derivation, entry.sale))) {
      const day = calendarDate(one.day);
      // A correction is of a day of its own.
      const listed = isWithin(locked, day) ? own : listing(ports, { first: day, last: day });
      await listed.until(one, day);
      if (!listed.take(one)) missing.push(newOf(one));
    }
  if (missing.length > 0) await ports.service.createMany(missing);
  return missing.length;
};

/** A record as it is created again, with what it was read back with. */
const newOf = ({ kind, record }: ReturnType<typeof recordsOf>[number]): NewTransaction => {
  const known = JSON.parse(JSON.stringify(wireTransaction(record as Order)), (_, value: unknown) =>
    value === null ? undefined : value,
  ) as object;
  return { kind, transaction: CreateTransaction.parse(known) };
};
