/** The maximum length of a user name in its normal form, in UTF-16 units. */
export const normalNameMax = 128

/**
 * Returns the form in which user names are compared: NFKC, lower case, without surrounding blanks.
 */
export function normalName(username: string): string {
  // Normalise twice: six letters leave the normal form when they become lower case.
  return username.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
}
