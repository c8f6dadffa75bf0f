import { describe, expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenHost, givenStack, type World, world } from '../../local/harness/world.ts'
import updateHost from '../hosts/update.ts'
import status from './status.ts'
import stop from './stop.ts'

const path = { name: 'shop' }

test('200: returns every service with its containers', async () => {
  const here = world()
  await givenStack(here)
  const answer = await call(status, { ports: here.ports, as: 'viewer', path })
  expect(answer.status).toBe(200)
  expect(answer.json).toMatchObject([
    {
      service: 'db',
      name: 'shop-db-1',
      number: 1,
      state: 'running',
      image: 'busybox:latest',
      exit_code: null,
    },
    { service: 'web', name: 'shop-web-1', state: 'running' },
  ])
})

test('200: a service without a container is missing', async () => {
  const here = world()
  await givenStack(here, 'shop', { deployed: false })
  const { json } = await call(status, { ports: here.ports, as: 'viewer', path })
  expect(json).toMatchObject([
    { service: 'db', container_id: null, state: 'missing', image: 'busybox:latest' },
    { service: 'web', container_id: null, state: 'missing' },
  ])
})

describe('links', () => {
  const compose = `services:
  web:
    image: busybox:latest
    command: sleep 60
    labels: {caddy: shop.example, traefik.http.routers.web.rule: Host(\`own.example\`)}
    ports: ["8081:80", "127.0.0.1:8082:81"]
`
  const linksIn = async ({ ports }: World, headers: Record<string, string> = {}) =>
    (await call(status, { ports, as: 'viewer', path, headers })).json.map(
      ({ links }: { links: string[] }) => links,
    )

  test('200: has the links of labels and published ports while the container runs', async () => {
    const here = world()
    await givenStack(here, 'shop', { compose })
    const sites = ['http://own.example', 'https://shop.example']
    expect(await linksIn(here)).toEqual([[...sites, 'http://stacks.example.org:8081']])
    const body = { address: 'nas.lan' }
    await call(updateHost, { ports: here.ports, as: 'admin', path: { id: 'local' }, body })
    expect(await linksIn(here)).toEqual([[...sites, 'http://nas.lan:8081']])
    await call(stop, { ports: here.ports, as: 'admin', path })
    expect(await linksIn(here)).toEqual([[]])
  })

  test('200: labels of the image make no links, nor those of an image that is gone', async () => {
    const here = world()
    await givenStack(here, 'shop', { compose })
    const own = await linksIn(here)
    const [image = ''] = [...here.engine.state.containers.values()].map((one) => one.imageId)
    here.engine.state.imageLabels.set(image, { caddy: 'shop.example', 'traefik.enable': 'false' })
    expect(await linksIn(here)).toEqual([own[0].filter((link: string) => !/shop/.test(link))])
    here.engine.state.images.clear()
    expect(await linksIn(here)).toEqual([['http://stacks.example.org:8081']])
  })

  test('200: published ports of a host with an agent have links once its address is set', async () => {
    const here = world()
    await givenHost(here, 'far')
    await givenStack(here, 'shop', { compose: compose.replace(/.*labels.*\n/, ''), host: 'far' })
    expect(await linksIn(here, { host: 'evil.example' })).toEqual([[]])
    const body = { address: '[FD00::7]' }
    await call(updateHost, { ports: here.ports, as: 'admin', path: { id: 'far' }, body })
    expect(await linksIn(here)).toEqual([['http://[fd00::7]:8081']])
  })
})
