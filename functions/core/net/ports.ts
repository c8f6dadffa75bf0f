/** What the service may dial of what people tell it to. Everything is looked at once more when it is dialed. */
export interface Outbound {
  /** Why nothing is dialed there, as far as it can be told without asking for a name; nothing when it may be. */
  refusal(host: string, port: number): string | undefined
}
