/** A file that sops encrypted, as it is read before anything is decrypted. */
export interface SopsDocument {
  /** What sops says of the file, by its place: `mac`, `lastmodified`, `age.0.enc`. */
  metadata: ReadonlyMap<string, string>
  /** Its values, in the order in which the MAC covers them. */
  values: SopsValue[]
  /**
   * Returns the file without what sops says of it.
   *
   * @param plain for each value what takes its place; undefined: it stays as it is
   */
  print(plain: readonly (PlainValue | undefined)[]): string
}

/** A value of a file, encrypted or not. */
export interface SopsValue {
  /** The keys above it, without places in lists. */
  keys: string[]
  text: string
  /** What the MAC covers of it if it is not encrypted. */
  covered: string
  /** Its line, from 1. */
  line: number
}

/** A value that was decrypted. */
export interface PlainValue {
  /** Such as `str`. */
  type: string
  text: string
}

/** Why a file cannot be read: where, and what is wrong. */
export interface UnreadFile {
  problem: string
  line: number
}

/** Returns why a file with too many values is not read. */
export const tooManyValues = (valuesMax: number, line: number): UnreadFile => ({
  problem: `it has more than ${valuesMax} values: split it`,
  line,
})
