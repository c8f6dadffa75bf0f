import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { groupsOf } from '../../adapters/lambda/groups.ts'
import { routes } from '../../serverless.ts'
import { modulesByGroup } from './modules.ts'

const manifest = fileURLToPath(new URL('../../serverless.ts', import.meta.url))

test('the modules of the groups are the endpoints of the manifest', () => {
  const found = [...modulesByGroup(manifest)].map(([name, modules]) => ({
    name,
    routes: [...modules.keys()],
  }))
  expect(found).toEqual(groupsOf(routes))
})

test('the endpoints of a group are in the folder with its name', () => {
  for (const [name, modules] of modulesByGroup(manifest)) {
    const folders = [...modules.values()].map((module) => module.split('/')[2])
    expect(new Set(folders), name).toEqual(new Set([name]))
  }
})
