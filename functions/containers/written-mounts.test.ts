import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import type { TestCaller } from '../../local/harness/sign-in.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import get from './archive/get.ts'

const busy = 'image: busybox:latest, command: sleep 60'

/** A stack of an admin whose service `worker` controls its host. */
async function given(web: string, worker: string, more = '') {
  const here = world()
  const compose = `services:
  web: {${busy}, volumes: [${web}]}
  worker: {${busy}, privileged: true, volumes: [${worker}]}
${more}volumes: {conf: {}, other: {}}
`
  await givenStack(here, 'shop', { compose })
  return here
}

const read = ({ ports }: World, as: TestCaller = 'operator') =>
  call(get, { ports, as, path: { id: 'shop-web-1' }, query: { path: '/none' } })

const shared = [
  ['a volume', '"conf:/c"', '"conf:/w:ro"'],
  ['a directory', '"./conf:/c"', '"./conf:/w:ro"'],
  ['the directory around a file', '"./conf:/c"', '"./conf/run.sh:/w:ro"'],
  ['a directory inside', '"./conf/in:/c"', '"./conf:/w:ro"'],
] as const

test.each(shared)(
  '403: a container that writes %s for one that controls the host is entered as that one',
  async (_, web, worker) => {
    const here = await given(web, worker)
    const { status, text } = await read(here)
    expect([status, text]).toEqual([
      403,
      expect.stringContaining(
        'control of the host by the mount /c, which container shop-worker-1 has too, with the option privileged',
      ),
    ])
    expect((await read(here, 'admin')).status).toBe(404)
  },
)

test('403: so is one that writes for a third, which writes for it', async () => {
  const third = `  third: {${busy}, volumes: ["conf:/c", "other:/o"]}\n`
  expect((await read(await given('"conf:/c"', '"other:/o"', third))).status).toBe(403)
})

test('404: but not one that only reads it, or has something else', async () => {
  for (const web of ['"conf:/c:ro"', '"other:/c"', '"./config:/c"']) {
    expect((await read(await given(web, '"conf:/w", "./conf:/x"'))).status).toBe(404)
  }
})

test('404: nor one that writes what a container with data of others has', async () => {
  const here = world()
  const compose = `services:
  web: {${busy}, volumes: ["conf:/c"]}
  media: {${busy}, volumes: ["conf:/w", "/mnt/media:/m"]}
volumes: {conf: {}}
`
  await givenStack(here, 'shop', { compose })
  expect((await read(here)).status).toBe(404)
})
