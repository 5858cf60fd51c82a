/** One file of an export as it lies on disk: by itself, compressed, or a member of a ZIP archive. */
export type FileSource = {
  /** As a person finds it: `exports/orders.csv`, or `exports/october.zip/orders.csv` for a member. */
  readonly name: string;
  /** The same from the root of the file system, for messages. */
  readonly place: string;
  /** The file on disk, or the archive it is in. */
  readonly path: string;
  readonly packing: Packing;
};

export type Packing =
  | { readonly kind: 'none' }
  | { readonly kind: 'gzip' }
  | { readonly kind: 'zip-member'; readonly member: string };
