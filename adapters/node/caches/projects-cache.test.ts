import { expect, test } from 'vitest'
import type { ComposeInput } from '../../../functions/compose/project.ts'
import { memoryComposer } from '../../testing/memory/composer.ts'
import { present } from '../../testing/present.ts'
import { cacheProjects } from './projects-cache.ts'

const input = (image: string): ComposeInput => ({
  name: 'shop',
  directory: '/opt/stacks/shop',
  composeFiles: ['compose.yaml'],
  files: { 'compose.yaml': `services: {web: {image: ${image}}}` },
  environment: {},
  profiles: [],
  reach: 'host',
})

/** Returns a composer that counts its loads. */
function counted() {
  const composer = memoryComposer()
  const loaded: string[] = []
  const load = (one: ComposeInput) => {
    loaded.push(one.files['compose.yaml'] as string)
    return composer.load(one)
  }
  return { composer: { ...composer, load }, loaded }
}

test('loads the same texts once; other texts or another reach again', async () => {
  const { composer, loaded } = counted()
  const remembered = cacheProjects(composer)
  const first = await remembered.load(input('a'))
  expect(await remembered.load(input('a'))).toEqual(first)
  expect(loaded).toHaveLength(1)
  await remembered.load(input('b'))
  await remembered.load({ ...input('a'), reach: 'stack' })
  expect(loaded).toHaveLength(3)
})

test('a change by one caller does not affect the next', async () => {
  const remembered = cacheProjects(counted().composer)
  const first = await remembered.load(input('a'))
  present(first.project.services.web).image = 'changed'
  expect((await remembered.load(input('a'))).project.services.web?.image).toBe('a')
})

test('does not cache errors and evicts the oldest', async () => {
  const { composer, loaded } = counted()
  const remembered = cacheProjects(composer, 2)
  for (let times = 0; times < 2; times += 1) {
    await expect(remembered.load(input('['))).rejects.toMatchObject({ status: 422 })
  }
  for (const image of ['a', 'b', 'c', 'a']) await remembered.load(input(image))
  expect(loaded).toHaveLength(6)
})
