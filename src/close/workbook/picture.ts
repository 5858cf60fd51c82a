/** A picture below a table. */
export type Picture = {
  readonly title: string;
  /** What it shows, in words for those who do not see it. */
  readonly description: string;
  /** Size in pixels of 1/96 inch; a picture wider than its table is made smaller. */
  readonly width: number;
  readonly height: number;
  /** The bytes of a PNG, asked for when the workbook is written. */
  readonly png: () => Promise<Uint8Array>;
};
