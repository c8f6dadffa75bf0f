import { crc32 } from 'node:zlib'

/** An API token: `cst_`, 36 base62 digits of 214 random bits, 6 base62 digits of their CRC-32. */
const form = /^cst_[0-9A-Za-z]{42}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/** True for a text of the form of an API token with the right checksum: no store is asked about any other. */
export function isApiToken(token: string): boolean {
  return form.test(token) && checksum(token.slice(4, 40)) === token.slice(40)
}

/** Makes a token of random bytes; 64 are enough but for one time in 10^20, which throws. */
export function makeApiToken(random: Uint8Array): string {
  // Bytes from 248 up would make some digits likelier than others.
  const fair = [...random].filter((byte) => byte < 248).slice(0, 36)
  if (fair.length < 36) throw new RangeError('too few random bytes for an API token')
  const secret = fair.map((byte) => digits[byte % 62]).join('')
  return `cst_${secret}${checksum(secret)}`
}

function checksum(text: string): string {
  let rest = crc32(text)
  let out = ''
  for (let place = 0; place < 6; place += 1) {
    out = digits[rest % 62] + out
    rest = Math.floor(rest / 62)
  }
  return out
}
