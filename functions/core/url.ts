/**
 * Returns the URL that a text is, or undefined. `URL.canParse` is not used: once Node 20 or 22 has
 * compiled a function that calls it often, it takes URLs with letters such as `ü` for invalid.
 */
export function parseUrl(text: string): URL | undefined {
  try {
    return new URL(text)
  } catch {
    return undefined
  }
}
