/**
 * Control characters, including C1 and those that change text direction: a terminal acts on them.
 */
const obeyed = /[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

/** Escapes a line of text from another machine, so that it is safe to show on a terminal. */
export function clean(text: string): string {
  return text.replace(obeyed, escaped)
}

/** Escapes several lines of such text. Line breaks and tabs are kept. */
export function say(text: string): string {
  return text
    .replace(/\r\n/g, '\n')
    .replace(obeyed, (sign) => (/[\n\t]/.test(sign) ? sign : escaped(sign)))
}

const colour = /\u001b\[[0-9;:]*m/

/** Escapes a line of a log. Its colours are kept, and reset at its end. */
export function logLine(text: string): string {
  const parts = text.split(new RegExp(`(${colour.source})`))
  const safe = parts.map((part, at) => (at % 2 === 1 ? part : say(part))).join('')
  return parts.length > 1 ? `${safe}\u001b[0m` : safe
}

function escaped(sign: string): string {
  return `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`
}

const wide =
  /[\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe6f\uff00-\uff60\uffe0-\uffe6\u{1f300}-\u{1faff}\u{20000}-\u{3fffd}]/u

/** Returns the number of terminal columns that an escaped text takes. */
export function widthOf(text: string): number {
  let columns = 0
  for (const sign of text) columns += /\p{Mn}|\u200d/u.test(sign) ? 0 : wide.test(sign) ? 2 : 1
  return columns
}

/** Cuts an escaped text to this many columns. An ellipsis marks a cut. */
export function cut(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  let kept = ''
  for (const sign of text) {
    if (widthOf(kept + sign) > columns - 1) break
    kept += sign
  }
  return `${kept}…`
}
