import { expect, test } from 'vitest'
import { SourceFailure } from '../ports/source-reader.ts'
import { plainUrl } from './git-place.ts'

test.each([
  ['https://Forge.example.org:443/ada/estate.git/', 'https://forge.example.org/ada/estate.git'],
  ['https://forge.example.org:8443/a', 'https://forge.example.org:8443/a'],
  ['https://[2001:DB8::1]/a%20b', 'https://[2001:db8::1]/a%20b'],
  ['ssh://git@Forge.example.org:22/ada/estate.git', 'ssh://git@forge.example.org/ada/estate.git'],
  ['ssh://forge.example.org:2222/a%3Fb%23c', 'ssh://forge.example.org:2222/a%3Fb%23c'],
  ['git@Forge.example.org:ada/Estate.git', 'git@forge.example.org:ada/Estate.git'],
  ['forge.example.org:/srv/estate', 'forge.example.org:/srv/estate'],
])('%s is written as %s', (url, plain) => {
  expect(plainUrl(url)).toBe(plain)
  expect(plainUrl(plain)).toBe(plain)
})

test.each([
  ['ssh://%zz@forge.example.org/a', 'a % that is not followed by two digits'],
  ['ssh://forge.example.org/%zz', 'a % that is not followed by two digits'],
  ['ssh://git:secret@forge.example.org/a', 'a password in it: leave it out'],
  ['https://ada@forge.example.org/a', 'send them as username and password'],
])('%s is refused: it has %s', (url, why) => {
  expect(() => plainUrl(url)).toThrow(SourceFailure)
  expect(() => plainUrl(url)).toThrow(why)
})
