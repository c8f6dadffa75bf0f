import { test } from 'vitest'
import { expectOne } from '../../local/harness/host-list.ts'
import get from './get.ts'
import list from './list.ts'

test('200: shows a network by id or name; refuses others', () =>
  expectOne(
    { get, list },
    { named: ({ id, name }) => [{ id }, { id: name }], unknown: { id: 'none' } },
  ))
