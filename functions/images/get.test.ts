import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { expectOne } from '../../local/harness/host-list.ts'
import { givenStack, world } from '../../local/harness/world.ts'
import get from './get.ts'
import list from './list.ts'

test('200: shows an image by name, id or the beginning of the id; refuses others', () =>
  expectOne(
    { get, list },
    {
      named: ({ id, tags }) => [{ id: tags[0] }, { id }, { id: id.slice('sha256:'.length) }],
      unknown: { id: 'none' },
    },
  ))

test('400: an invalid name, or the ids of several images begin with it', async () => {
  const here = world()
  await givenStack(here)
  here.engine.state.unnamed.add(`sha256:ab${'0'.repeat(62)}`)
  here.engine.state.unnamed.add(`sha256:ab${'1'.repeat(62)}`)
  here.engine.state.touch()
  const ask = (id: string) => call(get, { ports: here.ports, as: 'viewer', path: { id } })
  for (const id of ['../../version', 'a//b', 'a%2Fb', 'ab']) {
    expect((await ask(id)).status, id).toBe(400)
  }
  expect((await ask('ab0')).json).toMatchObject({ tags: [], host_id: 'local' })
})
