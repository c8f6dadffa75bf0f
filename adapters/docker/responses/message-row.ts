/**
 * A known error message, and the text for callers. `$1` and `$2` are the groups: values that the
 * caller sent or can read elsewhere in the API.
 */
export type MessageRow = readonly [known: RegExp, ours: string | ((text: string) => string)]
