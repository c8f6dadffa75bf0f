import { expect, test } from 'vitest'
import { call } from '../../../local/harness/call.ts'
import { editor, filesOf, givenEditor } from '../../../local/harness/stack-files.ts'
import { givenStack, world } from '../../../local/harness/world.ts'
import plan from '../plan.ts'
import update from '../update.ts'

const path = { name: 'shop' }
const secret = 'hunter2'
const web = (lines: string) => `services: {web: {image: busybox:latest, ${lines}}}\n`
const plain = web('command: sleep 9')

/** A stack with secret files, and an editor that cannot read them. */
async function given(compose = plain) {
  const here = world()
  await givenStack(here, 'shop', { compose: plain, deployed: false })
  await givenEditor(here)
  const owner = filesOf(here)
  const eve = filesOf(here, editor)
  await owner.put('.env', `PIN=${secret}\nPORT=8080\n`)
  await owner.put('tls.key', `${secret} = [`)
  expect((await owner.put('compose.yaml', compose)).status).toBe(200)
  return { ...here, owner, eve }
}

test.each<[where: string, compose: string]>([
  ['an image', 'services: {web: {image: "app:${PIN}"}}'],
  ['a default of an image', 'services: {web: {image: "app:${TAG:-$PIN}"}}'],
  ['an alternative', web('command: "${PIN:+${PIN}}"')],
  ['a command', web('command: [sh, -c, "echo ${PIN}"]')],
  ['a label', web('labels: {a: "${PIN}"}')],
  ['the name of a label', web('labels: ["${PIN}=a"]')],
  ['the name of a variable', web('environment: ["${PIN}=a"]')],
  ['a variable without a value', web('environment: ["${PIN}"]')],
  ['the name of a container', web('container_name: "${PIN}"')],
  ['a port', web('ports: ["${PORT}:80"]')],
  ['a service of another profile', `${web('profiles: [x], labels: {a: "${PIN}"}')}`],
  ['a profile, to be guessed', web('profiles: ["${PIN}"]')],
  ['a service, to be guessed', web('depends_on: ["${PIN}"]')],
  ['a link', web('labels: {container-stacks.url: "https://${PIN}.example.org"}')],
  ['the name of a network', `${plain}networks: {default: {name: "${'${PIN}'}"}}`],
  ['the name of an unused volume', `${plain}volumes: {data: {name: "${'${PIN}'}"}}`],
  ['an argument of a build', 'services: {web: {build: {context: ., args: [PIN]}}}'],
  ['an argument of a build by name', 'services: {web: {build: {args: {A: "${PIN}"}}}}'],
  ['a key as a label file', web('label_file: tls.key')],
  ['a key as a variable file', web('env_file: [{path: tls.key, format: raw}]')],
  ['a key as a Dockerfile', 'services: {web: {build: {context: ., dockerfile: tls.key}}}'],
  ['a key as a seccomp profile', web('security_opt: ["seccomp:tls.key"]')],
])('403: a value of a secret file in %s', async (_where, compose) => {
  const { eve, owner } = await given()
  const { status, text } = await eve.put('compose.yaml', compose)
  expect([status, text]).toEqual([403, expect.stringContaining('stacks:secrets')])
  expect(text).not.toContain(secret)
  // An overlay and an included file are no way around it.
  expect((await eve.put('compose.prod.yaml', compose)).status).toBe(403)
  await owner.put('more.yaml', 'services: {}')
  await owner.put('compose.yaml', `include: [more.yaml]\n${plain}`)
  expect((await eve.put('more.yaml', compose.replaceAll('web:', 'other:'))).status).toBe(403)
  expect((await owner.get('compose.yaml')).json.content).toContain('sleep 9')
})

test('403: a value by way of a variable file or a label file that the caller writes', async () => {
  const { ports, owner } = await given()
  await owner.put('more.yaml', 'services: {}')
  const body = (files: object, compose: string) => ({
    compose,
    files: Object.fromEntries(Object.entries(files).map(([name, content]) => [name, { content }])),
  })
  const include = `include: [{path: more.yaml, env_file: mine.txt}]\n${plain}`
  const more = 'services: {other: {image: "app:${MINE}"}}'
  for (const sent of [
    body({ 'mine.txt': 'MINE=a-${PIN}', 'more.yaml': more }, include),
    body({ labels: 'a=${PIN}' }, web('label_file: labels')),
  ]) {
    const { status, text } = await call(update, { ports, as: editor, path, body: sent })
    expect([status, text]).toEqual([403, expect.stringContaining('stacks:secrets')])
  }
})

test('200: values in the environment of a service and in configs', async () => {
  const { eve } = await given()
  const compose = `${web('environment: {A: "x${PIN}", PIN: null}, configs: [c]')}
configs: {c: {content: "key ${'${PIN}'}"}}
`
  expect((await eve.put('compose.yaml', compose)).status).toBe(200)
  expect((await eve.put('api.txt', 'B=${PIN}')).status).toBe(200)
  const again = compose.replace('configs: [c]', 'configs: [c], env_file: api.txt')
  expect((await eve.put('compose.yaml', again)).status).toBe(200)
})

test('200: changes around the values that the compose files already show', async () => {
  const shown = web('ports: ["80", "${PORT}:80"], labels: {a: "${PIN}"}, env_file: .env')
  const { eve } = await given(shown)
  const tries: [change: string, status: number][] = [
    [shown.replace('busybox:latest', 'busybox:1'), 200],
    [shown.replace('"80", ', ''), 200],
    [shown.replace('busybox:latest', '"busybox:${PIN}"'), 403],
    [shown.replace('a: "${PIN}"', 'b: "${PIN}"'), 403],
    [`${shown.trim().slice(0, -1)}, two: {image: "busybox:1", env_file: .env}}`, 200],
  ]
  for (const [compose, status] of tries) {
    const { text, ...said } = await eve.put('compose.yaml', compose)
    expect([compose, said.status, text]).toEqual([compose, status, expect.anything()])
  }
})

test('200: variables that no secret file has, and those of a .env that the caller sends', async () => {
  const { ports, eve } = await given()
  const compose = 'services: {web: {image: "app:${TAG:-1}", command: "${OTHER}"}}'
  expect((await eve.put('compose.yaml', compose)).status).toBe(200)
  const body = { compose: web('labels: {a: "${PIN}"}'), env: 'PIN=mine' }
  expect((await call(update, { ports, as: editor, path, body })).status).toBe(200)
})

test('422: an included file whose name or content is secret', async () => {
  const { eve } = await given()
  for (const compose of [
    `include: ["\${PIN}.yaml"]\n${plain}`,
    `include: [tls.key]\n${plain}`,
    'services: {web: {extends: {file: tls.key, service: web}}}',
  ]) {
    const { status, text } = await eve.put('compose.yaml', compose)
    expect([status, text]).toEqual([422, expect.stringContaining('stacks:secrets')])
    expect(text).not.toContain(secret)
  }
})

test('the plan of a stack shows no value that its editor could not know', async () => {
  const { ports, eve } = await given()
  await eve.put('compose.yaml', 'services: {web: {image: "app:${PIN}"}}')
  await eve.put('compose.yaml', web('environment: {A: "${PIN}"}'))
  const { status, text } = await call(plan, { ports, as: editor, path, body: {} })
  expect(status).toBe(200)
  expect(text).not.toContain(secret)
})
