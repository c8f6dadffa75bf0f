import { expect, test } from 'vitest'
import { en } from '../../text/en.ts'
import { setTexts } from '../../text/text.ts'
import { nameOf, namesOf } from './subject-names.ts'

setTexts(en)

const id = '01977d3c-7a00-7000-8000-9a8b7c6d5e4f'
const names = namesOf([
  { kind: 'users', id, name: 'old' },
  null,
  { kind: 'users', id, name: 'mia' },
  { kind: 'hosts', id, name: null },
])

test.each([
  [{ kind: 'users', id, name: 'then' }, 'then'],
  [{ kind: 'users', id, name: null }, 'mia'],
  [{ kind: 'hosts', id, name: null }, 'host 01977d3c'],
  [{ kind: 'sessions', id, name: null }, 'session 01977d3c'],
  [{ kind: 'new-things', id, name: null }, 'new-things 01977d3c'],
  [{ kind: 'containers', id: 'a'.repeat(64), name: null }, 'container aaaaaaaa'],
  [{ kind: 'registries', id: 'ghcr.io', name: null }, 'ghcr.io'],
  [null, '–'],
])('%o is shown as %s', (subject, shown) => {
  expect(nameOf(subject, names)).toBe(shown)
})
