import { existsSync, rmSync } from 'node:fs'
import { afterAll, expect, test } from 'vitest'
import { askDocker } from '../../adapters/testing/docker.ts'
import { newPlace, type Running } from './service.ts'
import { unique } from './unique.ts'

const name = unique('place')

/** Creates a container that mounts a directory, as a helper of a service does. */
const helperOf = (directory: string): Promise<string> => {
  const words = ['create', '--name', `${name}-${Math.random()}`, '-v', `${directory}:/files`]
  return askDocker(...words, '--label', 'container-stacks.internal=files', 'busybox:latest')
}
const left = async () => {
  const text = await askDocker('ps', '-aq', '--no-trunc', '--filter', `name=${name}`)
  return text.split('\n').filter(Boolean)
}

afterAll(async () => {
  const ids = await left()
  if (ids.length > 0) await askDocker('rm', '-f', ...ids)
})

test('removes all helpers of a place and no others', async () => {
  const [place, other] = [newPlace(), newPlace()]
  const stacks = `${place.directory}/stacks`
  await Promise.all([stacks, `${stacks}/web`, place.directory].map(helperOf))
  const others = await Promise.all(
    [`${other.directory}/stacks`, `${place.directory}2`].map(helperOf),
  )
  await place.remove()
  expect((await left()).sort()).toEqual([...others].sort())
  expect(existsSync(place.directory)).toBe(false)
  expect(existsSync(other.directory)).toBe(true)
  await other.remove()
  // The Engine may have created it for the mount.
  rmSync(`${place.directory}2`, { recursive: true, force: true })
  expect(await left()).toEqual(others.slice(1))
})

test('does the rest if a step fails, and throws all errors', async () => {
  const place = newPlace()
  await helperOf(`${place.directory}/stacks`)
  const child = {
    kill() {
      throw new Error('not killed')
    },
  }
  const lines = ['unhandled rejection: first', 'the service listens']
  place.processes.add({
    child,
    lines,
    ended: Promise.reject(new Error('lost')),
  } as never as Running)
  await expect(place.remove()).rejects.toThrow(
    'not killed\nlost\nnothing handled this:\nunhandled rejection: first',
  )
  expect(existsSync(place.directory)).toBe(false)
})
