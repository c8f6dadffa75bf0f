import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { localHost } from '../../../adapters/testing/memory/hosts.ts'
import { present } from '../../../adapters/testing/present.ts'
import { internalError } from '../../../functions/core/errors.ts'
import { clientWorld } from '../../../local/harness/client.ts'

const compose = `services:
  db:
    image: busybox:latest
    command: [sh, -c, echo db is up; sleep 9]
    volumes: [data:/data]
  web:
    image: busybox:latest
    command: [sh, -c, "echo \${GREETING}; sleep 9"]
    depends_on: [db]
volumes:
  data:
`
const overlay = 'services:\n  web:\n    environment:\n      MODE: prod\n'

type World = Awaited<ReturnType<typeof clientWorld>>

async function project(world: World, files: Record<string, string> = {}) {
  const directory = join(world.home, 'shop')
  await mkdir(directory, { recursive: true })
  const all = { 'compose.yaml': compose, '.env': 'GREETING=hello\n', ...files }
  for (const [name, text] of Object.entries(all)) await writeFile(join(directory, name), text)
  return directory
}

async function withShop(files?: Record<string, string>) {
  const world = await clientWorld()
  await world.login()
  const cwd = await project(world, files)
  const created = await world.cli('stacks create shop', { cwd })
  return Object.assign(world, { cwd, created })
}

test('0: create sends compose.yaml, .env and overlays of the current directory', async () => {
  await using world = await withShop({ 'compose.prod.yaml': overlay, 'compose.Odd.yaml': 'x' })
  expect(world.created.code).toBe(0)
  expect(world.created.out).toBe(`shop is saved on host ${localHost.name}\n`)
  expect(world.created.err).toContain('sending compose.yaml, .env, compose.prod.yaml\n')
  const { out } = await world.cli('stack get shop')
  expect(out).toBe(
    `# compose.yaml\n${compose}\n# .env\nGREETING=hello\n\n# compose.prod.yaml\n${overlay}`,
  )
})

test('0: get --only prints one file unchanged', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks get shop --only compose.yaml')).out).toBe(compose)
  expect(await world.cli('stacks get shop --only x.yaml')).toMatchObject({ code: 1, out: '' })
})

test('0: list shows name, host, deployment status and environment', async () => {
  await using world = await withShop({ 'compose.prod.yaml': overlay })
  const row = async () => (await world.cli('stacks list')).out.split('\n')[1]
  expect((await world.cli('stacks list')).out).toBe(
    'NAME  HOST    STATUS        ENVIRONMENT\nshop  Cellar  not_deployed  -\n',
  )
  await world.cli('stacks deploy shop --environment prod')
  expect(await row()).toBe('shop  Cellar  running  prod')
  world.engine.failing = () => internalError('out of luck')
  await world.cli('stacks restart shop')
  expect(await row()).toBe('shop  Cellar  running · last restart failed  prod')
})

test('0: deploy shows each step once; a second deploy has nothing to do', async () => {
  await using world = await withShop()
  const first = await world.cli('stacks deploy shop')
  expect(first.code).toBe(0)
  expect(first.out).toMatch(/^shop is deployed: \d+ changes in /)
  const lines = first.err.trim().split('\n')
  expect(lines).toContainEqual(expect.stringMatching(/^created +container shop-web-1 /))
  expect(new Set(lines).size).toBe(lines.length)
  const again = await world.cli('stacks deploy shop')
  expect(again).toMatchObject({ code: 0, out: 'shop is up to date: nothing to do\n' })
})

test('0: deploy --environment applies the overlay', async () => {
  await using world = await withShop({ 'compose.prod.yaml': overlay })
  expect((await world.cli('stacks deploy shop --environment prod')).code).toBe(0)
  const web = [...world.engine.state.containers.values()].find(({ name }) => name === 'shop-web-1')
  expect(web?.body.Env).toContain('MODE=prod')
})

test('0: redraws the steps in place on a terminal', async () => {
  await using world = await withShop()
  const { code, err } = await world.cli('stacks deploy shop', { columns: 80 })
  expect(code).toBe(0)
  const [steps = '', services = ''] = err.split('\u001b[J').slice(-2)
  expect(steps).toContain('✔')
  expect(steps).toMatch(/container shop-web-1 .*created/)
  expect(services).toMatch(/SERVICE.*\n.*db.*\n.*web /)
})

test('0: deploy --output json prints the deployment and nothing else', async () => {
  await using world = await withShop()
  const { out, err } = await world.cli('stacks deploy shop --output json')
  expect(JSON.parse(out)).toMatchObject({ stack: 'shop', status: 'succeeded' })
  expect(err).toBe('')
})

test('1: reports a failed deployment on standard error', async () => {
  await using world = await withShop()
  world.engine.failing = (step) =>
    step.action === 'start' ? internalError('the Engine is out of luck') : undefined
  const ended = await world.cli('stacks deploy shop')
  expect(ended).toMatchObject({ code: 1, out: '' })
  expect(ended.err).toMatch(/cli: the deployment failed: .*out of luck/)
  const json = await world.cli('stacks deploy shop --output json')
  expect(json.code).toBe(1)
  expect(JSON.parse(json.out)).toMatchObject({ status: 'failed' })
})

test('0: shows plan, status, logs and deployments of a stack', async () => {
  await using world = await withShop()
  expect((await world.cli('stacks plan shop')).out).toMatch(/^ACTION +KIND +NAME +REASON\n/)
  await world.cli('stacks deploy shop')
  expect((await world.cli('stacks plan shop')).out).toBe('nothing to do\n')
  const status = (await world.cli('stacks status shop')).out.split('\n')
  expect(status[0]).toMatch(
    /^SERVICE +NAME +CONTAINER +STATE +HEALTH +IMAGE +PORTS +UPTIME +RESTARTS +SERVICE STATE +LINKS +DETAIL$/,
  )
  expect(status[1]).toMatch(
    /^db +shop-db-1 +\S+ +running +- +\S+ +- +\d+ (s|min|h|d) +0 +running +- +-$/,
  )
  const logs = await world.cli('stacks logs shop --tail 5')
  expect(logs.out).toContain('db  | db is up\n')
  expect(logs.out).toContain('web | hello\n')
  expect((await world.cli('stacks logs shop --service db')).out).toBe('db | db is up\n')
  const list = (await world.cli('stacks deployments shop')).out.split('\n')
  expect(list[1]).toMatch(/^\S+ +deploy +succeeded +- +1 .* ada$/)
  const id = present(list[1]).split(' ')[0]
  expect((await world.cli(`stacks deployments shop ${id}`)).out).toMatch(/done +create +container/)
})

test('0: update saves changed files; the next deploy applies only the changes', async () => {
  await using world = await withShop()
  await world.cli('stacks deploy shop')
  await writeFile(join(world.cwd, '.env'), 'GREETING=welcome\n')
  const updated = await world.cli('stacks update shop --revision 1', { cwd: world.cwd })
  expect(updated.out).toBe('shop is saved, revision 2\n')
  const plan = (await world.cli('stacks plan shop')).out
  expect(plan).toContain('shop-web-1')
  expect(plan).not.toContain('shop-db-1')
  const stale = await world.cli('stacks update shop --revision 1', { cwd: world.cwd })
  expect(stale.code).toBe(1)
})

test('0: restarts and stops a stack and keeps its volume', async () => {
  await using world = await withShop()
  await world.cli('stacks deploy shop')
  expect((await world.cli('stacks restart shop web')).out).toMatch(/^web of shop is restarted: /)
  expect((await world.cli('stacks restart shop')).out).toMatch(/^shop is restarted: /)
  expect((await world.cli('stacks stop shop')).out).toMatch(/^shop is stopped: /)
  expect([...world.engine.state.volumes.keys()]).toEqual(['shop_data'])
})

test('0: delete with --yes; 2: without a terminal to ask on', async () => {
  await using world = await withShop()
  const asked = await world.cli('stacks delete shop')
  expect(asked).toMatchObject({ code: 2 })
  expect(asked.err).toContain('--yes')
  expect((await world.cli('stacks delete shop --yes')).out).toBe('shop is deleted\n')
  expect((await world.cli('stacks list')).out).toBe('NAME  HOST  STATUS  ENVIRONMENT\n')
})

test('0: lists the files of a stack, also of an earlier revision; 2: no revision', async () => {
  await using world = await withShop()
  const { out } = await world.cli('stacks files shop')
  expect(out).toMatch(/^PATH +SIZE +MODE +SECRET +LINK\n/)
  expect(out).toMatch(/^compose\.yaml +\d+ B +0?644 +no +-$/m)
  const earlier = await world.cli('stacks files shop --revision 1 -q')
  expect(earlier.out.split('\n')).toContain('compose.yaml')
  expect((await world.cli('stacks files shop --revision 9')).code).toBe(1)
  expect((await world.cli('stacks files shop --revision x')).code).toBe(2)
})

test('1: shows the error message of the service', async () => {
  await using world = await withShop({ 'compose.yaml': 'services:\n  web: {image: 7}\n' })
  expect(world.created.code).toBe(1)
  expect(world.created.err).toContain('services.web.image')
  const missing = await world.cli('stacks deploy shop')
  expect(missing.code).toBe(1)
  const odd = await world.cli(['stacks', 'status', '../containers'])
  expect(odd.code).toBe(1)
  expect(odd.err).not.toContain('127.0.0.1')
  const dots = await world.cli(['stacks', 'status', '..'])
  expect(dots).toMatchObject({ code: 1, err: 'cli: ".." is not a name\n' })
})

test('1: --host is not the host of the stack', async () => {
  await using world = await withShop()
  const ended = await world.cli('stacks stop shop --host nas')
  expect(ended).toMatchObject({ code: 1, err: 'cli: stack shop is on host Cellar, not on nas\n' })
  expect((await world.cli('stacks stop shop --host all')).code).toBe(2)
})

test('4: a viewer can read but not change a stack', async () => {
  await using world = await withShop()
  const made = await world.cli('users create vi --role viewer', { stdin: 'correct horse battery' })
  expect(made).toMatchObject({ code: 0, out: 'vi is created (viewer)\n' })
  await world.cli(['login', world.server, '--user', 'vi'], { stdin: 'correct horse battery' })
  expect((await world.cli('stacks list')).code).toBe(0)
  expect((await world.cli('stacks deploy shop')).code).toBe(4)
  const shown = await world.cli('stacks get shop')
  expect(shown.out).not.toContain('GREETING=')
  expect(shown.err).toMatch(/^\.env \(\d+ B\) is hidden: reading it needs stacks:secrets$/m)
  const only = await world.cli('stacks get shop --only .env')
  expect([only.code, only.out]).toEqual([1, ''])
  expect(only.err).toContain('that you may read: it needs the permission stacks:secrets')
})

test('0: rollback deploys an earlier deployment again; 1: no such deployment', async () => {
  await using world = await withShop()
  await world.cli('stacks deploy shop')
  const [first] = JSON.parse((await world.cli('stacks deployments shop --output json')).out)
  await writeFile(join(world.cwd, '.env'), 'GREETING=bye\n')
  await world.cli('stacks update shop', { cwd: world.cwd })
  await world.cli('stacks deploy shop')
  const back = await world.cli(`stack rollback shop ${first.id}`)
  expect(back.code).toBe(0)
  expect(back.out).toMatch(
    /^shop is rolled back to the deployment of \d{4}-\d\d-\d\d .*Z \(files of revision 1\): \d+ changes/,
  )
  expect(back.err).toContain('the files of that deployment are revision 3 of the stack now')
  expect(back.err).toContain('to go on with them in a directory: cli stacks download shop .')
  const twice = await world.cli('stacks rollback shop previous')
  expect(twice.err).toContain('stack shop has no earlier deployment to go back to')
  expect((await world.cli('stack get shop')).out).toContain('GREETING=hello')
  const none = await world.cli('stacks rollback shop none')
  expect([none.code, none.err]).toEqual([1, expect.stringContaining('no deployment "none"')])
  expect((await world.cli(`stacks rollback shop ${first.id} --on-drift overwrite`)).code).toBe(0)
  expect((await world.cli(`stacks rollback shop ${first.id} --on-drift import`)).code).toBe(2)
})

test('0: create, update and plan say that a variable is not set, before a deploy', async () => {
  await using world = await withShop({ '.env': '' })
  const unset = 'The "GREETING" variable is not set. Defaulting to a blank string.'
  expect([world.created.code, world.created.err]).toEqual([
    0,
    expect.stringContaining(`\nwarning: ${unset}\n`),
  ])
  const plan = await world.cli('stacks plan shop')
  expect([plan.code, plan.err]).toEqual([0, `warning: compose.yaml:8: ${unset}\nrevision 1\n`])
  expect((await world.cli('stacks plan shop --output json')).err).toBe('')
  const dry = await world.cli('stacks update shop --dry-run', { cwd: world.cwd })
  expect(dry.err).toContain(`warning: ${unset}\n`)
  await writeFile(join(world.cwd, '.env'), 'GREETING=hello\n')
  const set = await world.cli('stacks update shop', { cwd: world.cwd })
  expect([set.code, set.err]).toEqual([0, expect.not.stringContaining('warning')])
  expect((await world.cli('stacks plan shop')).err).toBe('revision 2\n')
  await world.cli('users create vi --role viewer', { stdin: 'correct horse battery' })
  await world.cli(['login', world.server, '--user', 'vi'], { stdin: 'correct horse battery' })
  expect(await world.cli('stacks plan shop')).toMatchObject({ code: 0, err: 'revision 2\n' })
})

test('0: create says which files docker compose would use and a stack does not', async () => {
  await using world = await withShop({
    'compose.override.yaml': 'services: {}\n',
    '.env': 'GREETING=hello\nCOMPOSE_FILE=other.yaml\n',
  })
  expect(world.created.err).toContain(
    'warning: docker compose always uses compose.override.yaml; a stack uses it only if it is ' +
      'deployed with --environment override.\n' +
      'warning: COMPOSE_FILE in .env is not used: compose.yaml is sent. ',
  )
})

test('0: shows warnings of a deployment on standard error', async () => {
  await using world = await withShop()
  await writeFile(join(world.cwd, '.env'), '')
  await world.cli('stacks update shop', { cwd: world.cwd })
  const deployed = await world.cli('stacks deploy shop')
  expect([deployed.code, deployed.err]).toEqual([
    0,
    expect.stringContaining('warning: The "GREETING" variable is not set.'),
  ])
})

test('0: status says how many services are up, the environment and the last failure', async () => {
  await using world = await withShop({ 'compose.prod.yaml': overlay })
  await world.cli('stacks deploy shop --environment prod')
  const running = await world.cli('stacks status shop')
  expect(running.err).toBe('shop is running: 2 of 2 services up, environment prod\n')
  world.engine.failing = (step) => (step.action === 'stop' ? internalError('busy') : undefined)
  await world.cli('stacks stop shop')
  const failed = await world.cli('stacks status shop')
  expect(failed.err).toContain('shop is running · last stop failed: 2 of 2 services up')
  expect(failed.err).toMatch(/last stop: .*busy\n {2}more: cli stacks deployments shop \S+\n/)
  const json = await world.cli('stacks status shop --output json')
  expect([json.err, JSON.parse(json.out)]).toEqual([
    '',
    [expect.objectContaining({ service_state: 'running', detail: null }), expect.anything()],
  ])
})

test('0: status says why a container is not up', async () => {
  await using world = await withShop()
  await world.cli('stacks deploy shop')
  const running = await world.cli('stacks status shop')
  expect(running.out).toMatch(/^SERVICE +NAME +CONTAINER +STATE +HEALTH +IMAGE /)
  expect(running.out).toMatch(/\nweb +shop-web-1 +[0-9a-z]{1,12} +running +\S+ +\S+/)
  await world.engine.act('shop-web-1', { kind: 'stop' })
  const { out, err } = await world.cli('stacks status shop')
  expect(err).toContain('shop is partial: 1 of 2 services up\n')
  expect(out).toMatch(/web .* exited \(143\) .* stopped +- +stopped on the host \d\d:\d\d UTC\n/)
})

test('1: each failed step of a deployment is shown with its error', async () => {
  await using world = await withShop()
  world.engine.failing = (step) =>
    step.action === 'start' ? internalError('out of luck') : undefined
  const ended = await world.cli('stacks deploy shop')
  expect(ended.err).toMatch(/^failed +start container shop-db-1 \(\d+ ms\): out of luck$/m)
  const [{ id }] = JSON.parse((await world.cli('stacks deployments shop --output json')).out)
  const { out } = await world.cli(`stacks deployments shop ${id}`)
  expect(out).toMatch(/^STEP .* REASON +ERROR$/m)
  expect(out).toMatch(/^failed +start +container +shop-db-1 .* out of luck$/m)
})

test('0: without a terminal, a deploy that leaves out the last overlay prints a warning', async () => {
  await using world = await withShop({ 'compose.prod.yaml': overlay })
  await world.cli('stacks deploy shop --environment prod')
  const plan = (await world.cli('stacks plan shop')).out
  expect(plan).toMatch(/^warning +environment +prod +The last deploy used the environment prod\./m)
  const { code, err } = await world.cli('stacks deploy shop')
  expect(code).toBe(0)
  expect(err).toMatch(/^warning: The last deploy used the environment prod\./)
  expect(err.match(/The last deploy used/g)).toHaveLength(1)
})

test('on a terminal, a deploy that leaves out the last overlay asks', async () => {
  await using world = await withShop({ 'compose.prod.yaml': overlay })
  await world.cli('stacks deploy shop --environment prod')
  const environment = async () => (await world.ports.stacks.find('shop'))?.environment
  const no = await world.cli('stacks deploy shop', { keys: 'n' })
  expect(no.code).toBe(1)
  expect(no.err).toContain('The last deploy of shop used --environment prod. Deploy without it?')
  expect(no.err).toContain('cancelled')
  expect(await environment()).toBe('prod')
  const again = await world.cli('stacks deploy shop --environment prod', { keys: '' })
  expect([again.code, again.err]).toEqual([0, expect.not.stringContaining('Deploy without it?')])
  const yes = await world.cli('stacks deploy shop', { keys: 'y' })
  expect(yes.code).toBe(0)
  expect(await environment()).toBeNull()
  await world.cli('stacks deploy shop --environment prod')
  const unasked = await world.cli('stacks deploy shop --yes', { keys: '' })
  expect(unasked.err).not.toContain('Deploy without it?')
  expect(await environment()).toBeNull()
})

test('0: a stopped adopted stack is listed as stopped', async () => {
  await using world = await withShop()
  await world.cli('stacks deploy shop')
  const stack = present(await world.ports.stacks.find('shop'))
  const adopted = { ...stack, adopted: true, deployedAt: null, last: null }
  await world.ports.stacks.replace(adopted)
  await world.cli('stacks stop shop')
  expect((await world.cli('stacks list')).out).toMatch(/^shop .* stopped /m)
})

test('0: delete speaks of mounted directories where the stack has some', async () => {
  await using world = await withShop()
  const kept = 'the data in mounted directories'
  expect((await world.cli('stacks delete shop --yes')).err).not.toContain(kept)
  const mounting = 'services: {web: {image: "busybox:latest", volumes: ["./data:/data"]}}'
  await writeFile(join(world.home, 'm.yaml'), mounting)
  await world.cli('stacks create shop --file m.yaml')
  expect((await world.cli('stacks delete shop --yes')).err).toContain(kept)
})
