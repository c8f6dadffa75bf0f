export interface Random {
  bytes(count: number): Uint8Array
  /** Returns a UUIDv7, which sorts by creation time. */
  id(): string
}
