/**
 * Texts and other contents by the digest of their content (64 hex digits), compressed, and
 * encrypted with a key outside the store. Storing a known content writes nothing, except that it is
 * renewed for the sweep of unused ones from time to time.
 */
export interface Texts {
  /** Stores a text. The same digest as of its bytes in UTF-8. */
  put(text: string): Promise<string>
  /** @throws 500 if there is no text with this digest */
  get(digest: string): Promise<string>
  /**
   * Stores contents that fit into memory a few times together, with few requests. Returns their
   * digests in the same order. If it fails, any of them may be stored.
   */
  putMany(contents: readonly Uint8Array[]): Promise<string[]>
  /**
   * Returns a digest of a text, 64 hex digits, without storing the text. It is keyed: other stores
   * have others, and a guess of the text cannot be checked without the key.
   */
  digestOf(text: string): Promise<string>
  /** @throws 500 if there is no content with this digest */
  getBytes(digest: string): Promise<Uint8Array>
}
