import { amendedLabel } from '../../kernel/amended-version.ts';
import { type Instant, startOfUtcDay, utcDateOf } from '../../kernel/calendar.ts';
import { nextOpenDay } from '../period-sales/filing-plan.ts';
import { correctionId, reversalId } from '../sales/corrections.ts';
import { postingOf, type Sale } from '../sales/sale.ts';
import { nameOfKey, saleKey } from '../sales/sale-name.ts';
import { carrySales } from '../workspace/carried-sales.ts';
import { addDecisions } from '../workspace/late-decisions.ts';
import { type Lock, openAmendment } from '../workspace/locks.ts';
import { noteEvent } from '../workspace/period-events.ts';
import type { CarriedSaleRow } from '../workspace/period-tables.ts';
import type { Workspace } from '../workspace/workspace.ts';
import { exportsDigest } from './exports-digest.ts';
import { filedVersions } from './filed-versions.ts';
import type { LateItem } from './late-item.ts';

export type LateChoice = 'carry' | 'amend';

export type Decision = {
  readonly choice: LateChoice;
  readonly who: string;
  readonly why: string;
  readonly now: Instant;
};

/** Where decided items are filed: on a day of an open period, or in the amended version of their own period. */
export type Destination = { readonly day: string } | { readonly amendment: string };

/**
 * Decide late items of a locked period: write down who chose what, and create the records that correct what was filed.
 * A record that was decided before, but whose correction is not filed yet, is filed where the new decision says. Where
 * decisions only take back what is not filed yet, nothing is filed, and no amended version is begun for them.
 *
 * @returns the day or the amended version with which they are filed; empty if there is nothing to file
 */
export const decideLate = async (
  workspace: Workspace,
  lock: Lock,
  locks: readonly Lock[],
  given: { readonly items: readonly LateItem[]; readonly decision: Decision },
): Promise<string> => {
  const { items, decision } = given;
  const destination = destinationOf(lock, locks, decision.choice);
  const name = 'day' in destination ? destination.day : destination.amendment;
  if (items.length === 0) return name;
  const standing = await filedVersions(
    workspace,
    items.map(({ key }) => key),
  );
  const rows = items.flatMap((item) =>
    rowsOf(item, (standing.get(item.key)?.corrections ?? 0) + 1, destination),
  );
  const begins = 'amendment' in destination && !locks.some(({ label }) => label === name);
  const place = rows.length === 0 ? '' : name;
  // A lock keeps the decisions that name it or its days, also those with nothing to file.
  const keptWith = begins ? place : name;
  const chosen = decision.choice === 'carry' ? 'carried' : 'amended';
  await workspace.together(async (within) => {
    if (begins && rows.length > 0) {
      const version = locks.filter(({ period }) => period === lock.period).length;
      await openAmendment(within, { ...lock, label: name, version });
    }
    await carrySales(
      within,
      items.map(({ key }) => key),
      rows,
    );
    await writeDown(within, items, decision, keptWith);
    await noteEvent(within, {
      period: lock.period,
      what: place === '' ? 'decided' : chosen,
      at: decision.now,
      who: decision.who,
      why: [`${items.length} late ${items.length === 1 ? 'item' : 'items'}${toText(place)}`, decision.why]
        .filter((text) => text !== '')
        .join(': '),
      digest: '',
    });
  });
  return place;
};

const toText = (place: string): string => (place === '' ? ', with nothing to file' : ` to ${place}`);

const destinationOf = (lock: Lock, locks: readonly Lock[], choice: LateChoice): Destination => {
  if (choice === 'carry') return { day: nextOpenDay(lock, locks) };
  const versions = locks.filter(({ period }) => period === lock.period);
  const open = versions.find(({ state }) => state === 'open');
  return { amendment: open?.label ?? amendedLabel(lock.period, versions.length) };
};

const rowsOf = (
  item: LateItem,
  number: number,
  destination: Destination,
): readonly Omit<CarriedSaleRow, 'entity'>[] =>
  correctionsOf(item, number).map((sale) => ({
    key: sale.key,
    filed_on: 'day' in destination ? destination.day : dayWithin(item),
    amendment: 'day' in destination ? '' : destination.amendment,
    source: item.period.label,
    corrects: item.key,
    replaces: item.filed?.sale.key ?? '',
    business_date: sale.businessDate,
    posting: postingOf(sale),
    body: JSON.stringify(sale),
    digest: exportsDigest(sale),
  }));

/** Returns the day of the item's period on which an amended record counts. */
const dayWithin = ({ period, sale, filed }: LateItem): string => {
  const day = filed?.filedOn ?? sale?.businessDate ?? period.first;
  return period.first <= day && day <= period.last ? day : utcDateOf(startOfUtcDay(period.first));
};

const writeDown = (
  workspace: Workspace,
  items: readonly LateItem[],
  { choice, who, why, now }: Decision,
  destination: string,
): Promise<void> =>
  addDecisions(
    workspace,
    items.map(({ period, key, stated }) => ({
      period: period.label,
      key,
      choice: choice === 'carry' ? 'carried' : 'amended',
      destination,
      content: stated,
      decided: now,
      who,
      why,
    })),
  );

/**
 * Returns the records that correct what was filed of a late item. A record that was never filed is added as it is; one
 * that is held again, as the locked period has it, is not. A filed record gets a full reversal, with the figures it was
 * filed with, and a new record with the latest content. Gross, taxable, collected and expected then come out exactly as
 * if the change had been known in time, whatever part of the record has changed.
 *
 * @param number counts the corrections of this record, from 1
 */
const correctionsOf = ({ key, sale, filed, isHeld }: LateItem, number: number): readonly Sale[] => {
  if (isHeld) return [];
  if (!filed && number === 1) return sale ? [sale] : [];
  const { id } = nameOfKey(key);
  return [
    ...(filed ? [named(reversalOf(filed.sale, sale), reversalId(id, number))] : []),
    ...(sale ? [named(sale, correctionId(id, number))] : []),
  ];
};

/** Reverses an order with a refund, and a refund with an order, dated on the day of the filed record. */
const reversalOf = (filed: Sale, now: Sale | undefined): Sale => {
  const isOrder = filed.kind === 'order';
  return {
    ...filed,
    kind: isOrder ? 'refund' : 'order',
    reference: isOrder ? filed.id : null,
    findings: [],
    origin: now?.origin ?? filed.origin,
    rows: 0,
  };
};

const named = (sale: Sale, id: string): Sale => ({ ...sale, id, key: saleKey(sale.channel, sale.kind, id) });
