import type { Sale } from './sale.ts';

/** The name of a sale's record: its key and the parts of the key. */
export type SaleName = Pick<Sale, 'key' | 'channel' | 'kind' | 'id'>;

/** Returns the key of a sale: files and decisions name it by it. */
export const saleKey = (channel: string, kind: Sale['kind'], id: string): string =>
  `${channel}/${kind}/${id}`;

/** Returns the name of a record in decisions where several channels have one of that name: `desk/1001`. */
export const nameInChannel = (channel: string, name: string): string => `${channel}/${name}`;

/** Splits the key of a sale into its parts. */
export const nameOfKey = (key: string): SaleName => {
  const [channel = '', kind, ...id] = key.split('/');
  return { key, channel, kind: kind as Sale['kind'], id: id.join('/') };
};
