import { expect, test } from 'vitest'
import { asHostId } from '../host-ids.ts'
import type { Container } from './containers.ts'
import { usersIn } from './users-of.ts'

const [nas, local] = [asHostId('h1'), asHostId('local')]
const container = (name: string, volume_names: string[], host_id = nas) =>
  ({ name, volume_names, host_id }) as Container
const containers = [
  container('web', ['pages']),
  container('copy', ['pages', 'copies']),
  container('other', ['pages'], local),
]
const volumesOf = ({ volume_names }: Container) => volume_names
const unreachable = [{ host_id: 'away' }]
const usersOf = usersIn({ containers, unreachable }, volumesOf)
const names = (name: string, host_id = nas) => usersOf({ name, host_id })?.map((one) => one.name)

test('the users of a volume are those on its host', () => {
  expect(names('pages')).toEqual(['web', 'copy'])
  expect(names('pages', local)).toEqual(['other'])
  expect(names('copies')).toEqual(['copy'])
  expect(names('old')).toEqual([])
})

test('nothing is called unused while its users are not known', () => {
  expect(names('old', asHostId('away'))).toBeUndefined()
  expect(usersIn(undefined, volumesOf)({ name: 'old', host_id: nas })).toBeUndefined()
  const cut = Array.from({ length: 1000 }, (_, at) => container(`c${at}`, []))
  const ofCut = usersIn({ containers: cut, unreachable: [] }, volumesOf)
  expect(ofCut({ name: 'old', host_id: nas })).toBeUndefined()
})
