import { expect, test } from 'vitest'
import { asHostId, asHostName } from '../host-ids.ts'
import { nameOfHostIn } from './host-names.ts'

const hosts = [{ id: asHostId('01a22033'), name: asHostName('Attic NAS') }]

test('a host is shown by its name', () => {
  expect(nameOfHostIn(hosts, true)(asHostId('01a22033'))).toBe('Attic NAS')
})

test('an id is not shown while the names are loading', () => {
  expect(nameOfHostIn(undefined, false)(asHostId('01a22033'))).toBe('')
})

test('an id is not shown for a host that was added since', () => {
  expect(nameOfHostIn(hosts, true)(asHostId('01a22034'))).toBe('')
})

test('an id tells hosts apart for a reader who may not see their names', () => {
  expect(nameOfHostIn(undefined, true)(asHostId('01a22033'))).toBe('01a22033')
})
