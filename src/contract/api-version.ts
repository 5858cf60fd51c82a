/** The dated versions of the interface that a request or an account may name, oldest first. */
export const API_VERSIONS = ['2012-01-01', '2020-08-07', '2022-01-24'] as const;
export type ApiVersion = (typeof API_VERSIONS)[number];
