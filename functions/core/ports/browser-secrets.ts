/** What browser sessions and logins need of this installation. */
export interface BrowserSecrets {
  /**
   * Part of the names of cookies, which tells installations on one machine apart. It is not secret
   * and does not change.
   */
  readonly instance: string
  /**
   * Returns the HMAC-SHA-256 of a text with each key of the installation, that of the current key
   * first. All processes of the service get the same values.
   * Texts of different purposes begin in different ways, because some values become tokens.
   */
  derive(text: string): Uint8Array[]
}
