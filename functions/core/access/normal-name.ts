/** No account's name is longer than this in its normal form, in UTF-16 units. */
export const normalNameMax = 128

/** The form in which user names are compared: NFKC, without blanks at the ends, in lower case. */
export function normalName(username: string): string {
  // Once more: six letters lose the form by becoming lower case.
  return username.normalize('NFKC').toLowerCase().normalize('NFKC').trim()
}
