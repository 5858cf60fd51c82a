/** Levels of tax below the state, in the order in which results print them. */
export const LOCAL_LEVELS = ['county', 'city', 'special'] as const;
export type LocalLevel = (typeof LOCAL_LEVELS)[number];
