import { expect, test } from 'vitest'
import { call } from '../../local/harness/call.ts'
import { givenStack, type World, world } from '../../local/harness/world.ts'
import deploy from './deploy.ts'
import plan from './plan.ts'

const compose = `services:
  web:
    image: busybox:latest
    networks: [proxy]
    volumes: ["media:/media"]
  job: {image: "busybox:latest", network_mode: lan}
networks:
  proxy:
    external: true
  unused: {external: true}
volumes:
  media: {external: true, name: big-media}
`

const ask = ({ ports }: World, body: object = {}) => ({
  ports,
  as: 'admin' as const,
  path: { name: 'shop' },
  body,
})

/** Returns a world with the stack, which was never deployed. */
async function given(text = compose): Promise<World> {
  const here = world()
  await givenStack(here, 'shop', { compose: text, deployed: false })
  return here
}

test('422: plan and deploy name all missing networks and volumes, with commands, and make nothing', async () => {
  const here = await given()
  const error = [
    'compose.yaml:12:3: volumes.media: external volume big-media is not on the host: create it there with `docker volume create big-media`',
    'compose.yaml:8:3: networks.proxy: external network proxy is not on the host: create it there with `docker network create proxy`',
    'compose.yaml:6:34: services.job.network_mode: external network lan is not on the host: create it there with `docker network create lan`',
  ].join('\n')
  for (const endpoint of [plan, deploy] as const) {
    const { status, json } = await call(endpoint, ask(here))
    expect([status, json.error]).toEqual([422, error])
  }
  expect(here.engine.executed).toEqual([])
})

test('422: only those of the services that are deployed; 200 once they exist', async () => {
  const here = await given()
  const { networks, volumes } = here.engine.state
  const one = await call(plan, ask(here, { services: ['job'] }))
  expect(one.json.error).toMatch(/^[^\n]*external network lan [^\n]*$/)
  networks.set('lan', { id: 'n1', name: 'lan', labels: {} })
  expect((await call(plan, ask(here, { services: ['job'] }))).status).toBe(200)
  networks.set('proxy', { id: 'n2', name: 'proxy', labels: {} })
  volumes.set('big-media', { name: 'big-media', labels: {} })
  const { json } = await call(deploy, ask(here))
  expect([json.status, json.error]).toEqual(['succeeded', null])
})

test('422: shows no command for a name that a shell reads otherwise', async () => {
  const text = `services: {web: {image: "busybox:latest", networks: [out]}}
networks: {out: {external: true, name: "a; reboot"}}
`
  const { json } = await call(plan, ask(await given(text)))
  expect(json.error).toMatch(/external network a; reboot is not on the host$/)
})
