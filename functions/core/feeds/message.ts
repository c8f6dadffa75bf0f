/** One message of a feed: text, bytes, or text that is encoded already. */
export type Message = string | Uint8Array | Encoded

/** Text as UTF-8, made once for all who get it. */
export interface Encoded {
  readonly bytes: Uint8Array
}

/** Text that is encoded at once. */
export class EncodedText implements Encoded {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }
}
