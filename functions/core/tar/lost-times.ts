/** Entries of an archive whose time gets lost when an Engine unpacks them. */
export interface LostTimes {
  count: number
  /** The path of the first one; empty if there is none. */
  first: string
}

/** The last second whose nanoseconds fit into 64 bits: 2262-04-11. */
const secondsMax = 9_223_372_036

/**
 * Returns whether an Engine sets another time than this one, 1970-01-01: it does that for times
 * before 1970 and after 2262.
 *
 * @param seconds since the epoch
 */
export const isLostTime = (seconds: number): boolean => seconds < 0 || seconds > secondsMax

/**
 * Returns the modification time in a header of a tar archive, in seconds since the epoch: octal
 * digits, or a number in base 256, which can be negative.
 */
export function timeOf(header: Uint8Array): number {
  const field = header.subarray(136, 148)
  const [first = 0] = field
  if (first === 0xff) return -1
  if ((first & 0x80) === 0) return Number.parseInt(Buffer.from(field).toString('latin1'), 8) || 0
  return field.reduce((sum, byte, at) => sum * 256 + (at === 0 ? byte & 0x7f : byte), 0)
}
