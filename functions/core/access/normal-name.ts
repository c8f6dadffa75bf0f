/** The form in which user names are compared: NFKC, without blanks at the ends, in lower case. */
export function normalName(username: string): string {
  return username.normalize('NFKC').trim().toLowerCase()
}
