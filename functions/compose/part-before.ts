/** Returns the text before the first separator; the whole text if there is none. */
export function partBefore(text: string, separator: string): string {
  const at = text.indexOf(separator)
  return at < 0 ? text : text.slice(0, at)
}
