/** A message of a feed: text, bytes, or text that is already encoded. */
export type Message = string | Uint8Array | Encoded

/** Text in UTF-8, encoded once for all recipients. */
export interface Encoded {
  readonly bytes: Uint8Array
  /** The exit code of the container of the feed, in the message that says that it ended. */
  readonly exitCode?: number | null | undefined
}

/** Text that is encoded at construction. */
export class EncodedText implements Encoded {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }
}
