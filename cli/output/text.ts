/** The joiner of an emoji that consists of several. It shows, so it is no control character. */
const emojiJoiner =
  /(?<=\p{Extended_Pictographic}|\p{Emoji_Modifier}|\ufe0f)\u200d(?=\p{Extended_Pictographic})/u

/**
 * Characters that a terminal acts on or shows as nothing: control and format characters, among them
 * those of text direction and of width zero, other line breaks, and letters without a picture.
 */
const controlCharacters = new RegExp(
  `(?!${emojiJoiner.source})[\\p{Cc}\\p{Cf}\\p{Zl}\\p{Zp}\\u115f\\u1160\\u3164\\uffa0]`,
  'gu',
)

/** Escapes a line of text from another machine, so that it is safe to show on a terminal. */
export function clean(text: string): string {
  return text.replace(controlCharacters, escaped)
}

/** Escapes several lines of text from another machine. Keeps line breaks and tabs. */
export function cleanLines(text: string): string {
  return escapeControlCharacters(text.replace(/\r\n/g, '\n'))
}

const colour = /\u001b\[[0-9;:]*m/

/** Escapes a line of a log. Keeps its colours, and resets them at its end. */
export function logLine(text: string): string {
  const parts = text.split(new RegExp(`(${colour.source})`))
  const safe = parts.map((part, at) => (at % 2 === 1 ? part : cleanLines(part))).join('')
  return parts.length > 1 ? `${safe}\u001b[0m` : safe
}

/** Returns a character as JSON escapes it: one beyond 16 bits is two units. */
function escaped(sign: string): string {
  const units = sign.split('').map((unit) => unit.charCodeAt(0).toString(16).padStart(4, '0'))
  return units.map((unit) => `\\u${unit}`).join('')
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

/** Cuts an escaped text to this many columns. An ellipsis in its middle marks a cut. */
export function cutMiddle(text: string, columns: number): string {
  if (widthOf(text) <= columns) return text
  const signs = [...text]
  let [head, tail] = ['', '']
  for (let room = columns - 1, isHead = true; signs.length > 0; isHead = !isHead) {
    const sign = (isHead ? signs.shift() : signs.pop()) ?? ''
    room -= widthOf(sign)
    if (room < 0) break
    if (isHead) head += sign
    else tail = sign + tail
  }
  return `${head}…${tail}`
}

/** Cuts an escaped text with colours to this many columns. */
export function cutStyled(text: string, columns: number): string {
  const parts = text.split(new RegExp(`(${colour.source})`))
  let room = columns
  let kept = ''
  for (const [at, part] of parts.entries()) {
    if (at % 2 === 1) kept += part
    else if (room > 0) {
      kept += cut(part, room)
      room -= widthOf(part)
    }
  }
  return kept
}

/** Returns whether the text has control characters other than line breaks and tabs. */
export const hasControlCharacters = (text: string): boolean =>
  escapeControlCharacters(text) !== text

/**
 * Escapes control characters except line breaks and tabs. JSON has them only in strings, so the
 * value of a JSON text stays the same.
 */
export const escapeControlCharacters = (text: string): string =>
  text.replace(controlCharacters, (sign) => (/[\n\t]/.test(sign) ? sign : escaped(sign)))
