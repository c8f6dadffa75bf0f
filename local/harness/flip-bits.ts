import { present } from '../../adapters/testing/present.ts'

/** Flips the bits of the mask in the byte at a position, counted from the end if negative. */
export function flipBits(bytes: Uint8Array, at: number, mask: number): void {
  const place = at < 0 ? bytes.length + at : at
  bytes[place] = present(bytes[place], `byte ${place}`) ^ mask
}
