import type { TableRow } from './files/table-row.ts';
import type { RowGroup } from './group-rows.ts';
import type { TextOf } from './read-amount.ts';
import { isMangled, isRounded, serviceId } from './record-id.ts';
import type { Sale, SaleFinding } from './sale.ts';
import { setAside, type Undated } from './set-aside.ts';

/** Read the ids that the profile maps, of records in a file. */
type IdReaders = {
  readonly idOf: TextOf | undefined;
  readonly refundIdOf: TextOf | undefined;
  readonly referenceOf: TextOf | undefined;
  readonly context: IdContext;
};

type IdContext = { readonly file: string; readonly areIdsRounded?: boolean };

/** The ids of a record, or the reason why it has none. */
export const identityOf = (
  group: RowGroup,
  first: TableRow,
  kind: Sale['kind'],
  { idOf, refundIdOf, referenceOf, context }: IdReaders,
): { readonly id: string; readonly reference: string | null } | Undated => {
  const name = idOf ? idOf(first) : group.name;
  const own = (kind === 'refund' && refundIdOf?.(first)) || '';
  const referenced = referenceOf ? referenceOf(first) : own === '' ? name : '';
  for (const text of [name, own, referenced]) {
    const reason = damagedId(text, context);
    if (reason) return { ...setAside(group, 'rejected', reason, context.file), value: text };
  }
  const order = serviceId(kind === 'refund' ? referenced : name);
  // A refund that names no order still gets an id, so that a person can decide about it.
  const id = kind === 'order' ? order : own === '' ? refundOf(order || serviceId(name)) : serviceId(own);
  if (id === '') {
    const message = `"${name}" is not an id, so the record cannot be told from others`;
    return setAside(group, 'rejected', { code: 'no-id', message }, context.file);
  }
  return { id, reference: kind === 'refund' && order !== '' ? order : null };
};

/** What a spreadsheet has done to an id, if it has damaged it. */
export const damagedId = (text: string, { areIdsRounded }: IdContext): SaleFinding | undefined => {
  const what = isMangled(text)
    ? 'is what a spreadsheet left of an id'
    : areIdsRounded && isRounded(text)
      ? 'is an id that a spreadsheet has rounded: like all ids of the file, it has zeros behind its 15th digit'
      : undefined;
  return what === undefined ? undefined : { code: 'mangled-id', message: `"${text}" ${what}` };
};

const refundOf = (id: string): string => (id === '' ? '' : `${id}-refund`);
