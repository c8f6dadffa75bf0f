/** Returns the words of a field in which people separate them by commas, blanks or lines. */
export const splitWords = (text: string): string[] =>
  text.split(/[\s,;]+/).filter((word) => word !== '')

/** Returns the entries of a field in which people separate names that may contain blanks. */
export const splitCommas = (text: string): string[] =>
  text
    .split(/[,\n]/)
    .map((entry) => entry.trim())
    .filter((entry) => entry !== '')
