/**
 * Returns the entry of a record under a name that people chose, or undefined. A plain read such as
 * `images[name]` finds a function for names like `constructor`, which every object inherits.
 */
export const ownEntry = <T>(
  record: Readonly<Record<string, T>> | undefined,
  name: string,
): T | undefined => (record !== undefined && Object.hasOwn(record, name) ? record[name] : undefined)
