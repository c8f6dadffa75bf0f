import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { known } from './known.ts'

const document = readFileSync(new URL('../../docs/compose.md', import.meta.url), 'utf8')

test('docs/compose.md lists exactly the cases that are known to fail, each with its reason', () => {
  const [, section = ''] = document.split('## Cases that fail')
  const listed = [...section.matchAll(/^\| `([^`]+)` \| (.+) \|$/gm)].map(([, id, reason]) => [
    id,
    reason,
  ])
  expect(Object.fromEntries(listed)).toEqual(known)
})
