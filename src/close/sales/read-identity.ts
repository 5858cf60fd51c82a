import type { TableRow } from './files/table-row.ts';
import type { RowGroup } from './group-rows.ts';
import type { TextOf } from './read-amount.ts';
import { isMangled, serviceId } from './record-id.ts';
import type { Sale } from './sale.ts';
import { setAside, type Undated } from './set-aside.ts';

/** Read the ids that the profile maps, of records in a file. */
type IdReaders = {
  readonly idOf: TextOf | undefined;
  readonly refundIdOf: TextOf | undefined;
  readonly referenceOf: TextOf | undefined;
  readonly context: { readonly file: string };
};

/** The ids of a record, or the reason why it has none. */
export const identityOf = (
  group: RowGroup,
  first: TableRow,
  kind: Sale['kind'],
  { idOf, refundIdOf, referenceOf, context: { file } }: IdReaders,
): { readonly id: string; readonly reference: string | null } | Undated => {
  const name = idOf ? idOf(first) : group.name;
  const own = (kind === 'refund' && refundIdOf?.(first)) || '';
  const referenced = referenceOf ? referenceOf(first) : own === '' ? name : '';
  for (const text of [name, own, referenced]) {
    if (!isMangled(text)) continue;
    const message = `"${text}" is what a spreadsheet left of an id`;
    return { ...setAside(group, 'rejected', { code: 'mangled-id', message }, file), value: text };
  }
  const order = serviceId(kind === 'refund' ? referenced : name);
  // A refund that names no order still gets an id, so that a person can decide about it.
  const id = kind === 'order' ? order : own === '' ? refundOf(order || serviceId(name)) : serviceId(own);
  if (id === '') {
    const message = `"${name}" is not an id, so the record cannot be told from others`;
    return setAside(group, 'rejected', { code: 'no-id', message }, file);
  }
  return { id, reference: kind === 'refund' && order !== '' ? order : null };
};

const refundOf = (id: string): string => (id === '' ? '' : `${id}-refund`);
