import { crc32 } from 'node:zlib'

/**
 * The form of an API token: `cst_`, 36 base62 digits of 214 random bits, 6 base62 digits of their
 * CRC-32.
 */
const form = /^cst_[0-9A-Za-z]{42}$/
const digits = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

/**
 * Returns whether a text has the form of an API token and the right checksum. Any other text is
 * rejected without a read of the store.
 */
export function isApiToken(token: string): boolean {
  return form.test(token) && checksum(token.slice(4, 40)) === token.slice(40)
}

/**
 * Makes a token of random bytes. 64 bytes suffice in all but one of 10^20 calls.
 *
 * @throws RangeError if the bytes do not suffice
 */
export function makeApiToken(random: Uint8Array): string {
  // Bytes of 248 and more would make some digits more likely than others.
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
