import { expect, test } from 'vitest'
import { placesIn } from './compose-places.ts'

test.each([
  ['volumes:\n  - ./data:/data\n  - db:/var/lib/db\n  - /srv:/srv\n  - ../up:/up\n', ['data']],
  ['volumes: ["./a:/a", "./b:/b:ro", \'./c/:/c:rw,z\']', ['a', 'c']],
  ['- type: bind\n  source: ./a\n  target: /a\n- type: bind\n  source: ./b\n', ['a', 'b']],
  ['- type: bind\n  source: ./a\n  target: /a\n  read_only: true\n', []],
  ['- {type: bind, source: ./a, target: /a, read_only: true}\n- ./b:/b\n', ['b']],
  ['- .:/app\n', ['']],
])('%j: containers write to %o', (text, writable) => {
  expect([...placesIn(text).writable].sort()).toEqual(writable)
})

test.each([
  ['build: .\n', ['']],
  ['build: ./api # ours\n', ['api']],
  ['build: {context: web, target: x}\n', ['web']],
  ['build:\n  context: "./web/"\n  dockerfile: D\n', ['web']],
  ['build: https://example.com/a.git\n', []],
])('%j: builds %o', (text, contexts) => {
  expect(placesIn(text).contexts).toEqual(contexts)
})
