import { expect, test } from 'vitest'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

async function withShop() {
  const world = await clientWorld()
  await world.login()
  await stackOf(
    world,
    'shop',
    'services: {web: {image: "busybox:latest", command: sleep 60, scale: 2}}\n',
  )
  return world
}

test('0: commit makes an image of a container and prints its name and id', async () => {
  await using world = await withShop()
  const asked: unknown[] = []
  const { commitContainer } = world.engine
  world.engine.commitContainer = (...words) => {
    asked.push(words)
    return commitContainer(...words)
  }
  const ended = await world.cli([
    ...['stacks', 'commit', 'shop', 'web', 'shop-web:before', '--index', '2'],
    ...['-a', 'Ada', '-m', 'Before the upgrade', '-c', 'ENV DEBUG=true', '--no-pause'],
  ])
  expect(ended.err).toBe('')
  expect(ended.out).toMatch(/^shop-web:before is sha256:[0-9a-f]+\n$/)
  const second = [...world.engine.state.containers.values()].find(
    ({ name }) => name === 'shop-web-2',
  )
  const options = { author: 'Ada', message: 'Before the upgrade', pause: false }
  const changes = ['ENV DEBUG=true']
  expect(asked).toEqual([[second?.id, { ...options, changes }, expect.anything()]])
})

test('1: commit names what is missing; 2: an index that is no number', async () => {
  await using world = await withShop()
  const absent = await world.cli('stacks commit shop web x:1 --index 3')
  expect(absent).toMatchObject({ code: 1, err: expect.stringContaining('has no container 3') })
  const wrong = await world.cli('stacks commit shop web x:1 --index 0')
  expect(wrong).toMatchObject({ code: 2, err: expect.stringContaining('--index 0') })
})
