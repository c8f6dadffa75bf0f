/** One message of a feed: text, bytes, or text that is encoded already. */
export type Message = string | Uint8Array | EncodedText

/** Text as UTF-8, made once for all who get it. */
export class EncodedText {
  readonly bytes: Uint8Array

  constructor(text: string) {
    this.bytes = Buffer.from(text)
  }
}
