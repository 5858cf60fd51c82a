/**
 * The inputs of a result, by name, mostly as digests. The result is current while every input it depends on is
 * unchanged.
 */
export type Parts<Name extends string = string> = Readonly<Record<Name, string>>;

/** The inputs as they are now: known, or computed on demand. */
export type PresentParts<Name extends string = string> = {
  readonly [Part in Name]: string | (() => Promise<string>);
};

/**
 * Return the first of these inputs that has changed since the result was made; `undefined` when it is current. Inputs
 * after a changed one are not computed.
 */
export const changedPart = async <Name extends string>(
  made: Parts<Name>,
  now: PresentParts<Name>,
  names: readonly Name[],
): Promise<Name | undefined> => {
  for (const name of names) {
    const part = now[name];
    if (made[name] !== (typeof part === 'string' ? part : await part())) return name;
  }
  return undefined;
};

/** Return all of these inputs that have changed. */
export const changedParts = async <Name extends string>(
  made: Parts<Name>,
  now: PresentParts<Name>,
  names: readonly Name[],
): Promise<readonly Name[]> => {
  const changed: Name[] = [];
  for (const name of names) if ((await changedPart(made, now, [name])) !== undefined) changed.push(name);
  return changed;
};
