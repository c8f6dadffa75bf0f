/** Slow password hashes (argon2id), with limited concurrency and a bounded queue. */
export interface Passwords {
  hash(password: string): Promise<string>
  /**
   * Without a hash it returns false after the same work, so that timing does not reveal which user
   * names exist.
   */
  verify(password: string, hash: string | null | undefined): Promise<boolean>
}
