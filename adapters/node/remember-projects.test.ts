import { expect, test } from 'vitest'
import type { ComposeInput } from '../../functions/core/compose/project.ts'
import { memoryComposer } from '../memory/composer.ts'
import { rememberProjects } from './remember-projects.ts'

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

test('the same texts are loaded once, other texts or another reach again', async () => {
  const { composer, loaded } = counted()
  const remembered = rememberProjects(composer)
  const first = await remembered.load(input('a'))
  expect(await remembered.load(input('a'))).toEqual(first)
  expect(loaded).toHaveLength(1)
  await remembered.load(input('b'))
  await remembered.load({ ...input('a'), reach: 'stack' })
  expect(loaded).toHaveLength(3)
})

test('what a caller does to his project is not seen by the next', async () => {
  const remembered = rememberProjects(counted().composer)
  const first = await remembered.load(input('a'))
  first.project.services.web!.image = 'changed'
  expect((await remembered.load(input('a'))).project.services.web!.image).toBe('a')
})

test('what fails is read again, and the oldest is forgotten', async () => {
  const { composer, loaded } = counted()
  const remembered = rememberProjects(composer, 2)
  for (let times = 0; times < 2; times += 1) {
    await expect(remembered.load(input('['))).rejects.toMatchObject({ status: 422 })
  }
  for (const image of ['a', 'b', 'c', 'a']) await remembered.load(input(image))
  expect(loaded).toHaveLength(6)
})
