/** Returns the value of a JSON text, undefined if it is none. */
export function parseJson(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Returns the value of a JSON text, or the text itself if it is not JSON. */
export function parseIfJson(text: string): unknown {
  const value = parseJson(text)
  return value === undefined ? text : value
}
