/**
 * The outbound network policy for destinations that users configure. The address is checked again
 * when it is dialed.
 */
export interface Outbound {
  /** Returns why this destination is refused, or undefined. Does not resolve names. */
  refusal(host: string, port: number): string | undefined
}
