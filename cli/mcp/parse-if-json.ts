/** Returns the value of a JSON text, or the text itself if it is not JSON. Null if it is empty. */
export function parseIfJson(text: string): unknown {
  if (text === '') return null
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
