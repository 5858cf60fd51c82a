export type ReadBackFigures = {
  readonly listed: number;
  readonly read: number;
  /** Records that are listed but not shown. */
  readonly unshown: number;
  /** Records of a locked period that the service does not have any more, if there are any. */
  readonly lost?: number;
};
