import { expect, test } from 'vitest'
import { linesOfMap, mapOfLines } from './role-map.ts'

test('a map is typed as lines and read from them', () => {
  const map = { admins: 'admin', 'cn=ops,dc=home': 'operator' }
  expect(linesOfMap(map)).toBe('admins = admin\ncn=ops,dc=home = operator')
  expect(mapOfLines(`${linesOfMap(map)}\n\nalone\n= viewer`)).toEqual(map)
})
