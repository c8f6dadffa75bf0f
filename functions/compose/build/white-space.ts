/** Matches white space as builders see it: what Go's `unicode.IsSpace` accepts. */
export const whiteSpace =
  '[\\t-\\r \\u0085\\u00a0\\u1680\\u2000-\\u200a\\u2028\\u2029\\u202f\\u205f\\u3000]'

/** Matches what any reader of a Dockerfile takes for white space. */
export const anySpace = '[\\s\\u0085]'

/** Matches a character that is no white space for any reader. */
export const noSpace = '[^\\s\\u0085]'

const space = new RegExp(whiteSpace)

/** Removes white space from both ends, as builders do: not all that JavaScript removes. */
export function trimSpace(text: string): string {
  // An expression would take quadratic time for long white space inside of the text.
  let [start, end] = [0, text.length]
  while (start < end && space.test(text.charAt(start))) start += 1
  while (end > start && space.test(text.charAt(end - 1))) end -= 1
  return text.slice(start, end)
}
