import { expect, test } from 'vitest'
import { parseUrl } from './url.ts'

test('returns the URL that a text is', () => {
  expect(parseUrl('HTTPS://nas.example:443/a')?.href).toBe('https://nas.example/a')
  for (const text of ['', 'nas', 'https://', 'https://[::1']) expect(parseUrl(text)).toBeUndefined()
})

test('reads names with umlauts also in a process that has parsed many URLs', () => {
  const read = (text: string) => parseUrl(text)?.hostname
  for (let count = 0; count < 20_000; count += 1) read(`https://nas.example/${count}`)
  expect(read('https://münchen.example')).toBe('xn--mnchen-3ya.example')
})
