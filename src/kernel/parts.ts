/** What something was made from, by name: mostly digests. It is current while each part that it depends on is what it was. */
export type Parts<Name extends string = string> = Readonly<Record<Name, string>>;

/** Parts as they are now: at hand, or worked out when somebody asks for them. */
export type PresentParts<Name extends string = string> = {
  readonly [Part in Name]: string | (() => Promise<string>);
};

/**
 * The first of these parts that is another now than when something was made; `undefined` while that is current. The parts
 * behind it are not worked out.
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

/** All of these parts that are others now. */
export const changedParts = async <Name extends string>(
  made: Parts<Name>,
  now: PresentParts<Name>,
  names: readonly Name[],
): Promise<readonly Name[]> => {
  const changed: Name[] = [];
  for (const name of names) if ((await changedPart(made, now, [name])) !== undefined) changed.push(name);
  return changed;
};
