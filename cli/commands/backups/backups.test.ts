import { expect, test } from 'vitest'
import { present } from '../../../adapters/testing/present.ts'
import { internalError } from '../../../functions/core/errors.ts'
import { givenVolume } from '../../../local/harness/backups.ts'
import { clientWorld, stackOf } from '../../../local/harness/client.ts'

async function backupClient() {
  const world = await clientWorld()
  await world.login()
  await givenVolume(world, 'photos', 'x'.repeat(5000))
  return world
}

const create = 'backups create nightly --volume photos --to nas'

test('0: creates, lists, shows, updates and deletes a job', async () => {
  await using world = await backupClient()
  const made = await world.cli([
    ...create.split(' '),
    '--schedule',
    '30 3 * * *',
    '--keep-last',
    '7',
  ])
  expect(made.out).toBe('nightly is created\n')
  expect(made.err).toMatch(/^ {2}it runs \d{4}-\d\d-\d\d 03:30:00Z\n$/)
  const listed = await world.cli('backup jobs')
  expect(listed.out.split('\n')[1]).toMatch(
    /^nightly +Cellar +volume photos +local +30 3 \* \* \* +\d{4}-/,
  )
  const shown = await world.cli('backups jobs NIGHTLY')
  expect(shown.out).toContain('kept       the newest 7\n')
  expect((await world.cli('backups update nightly --disable')).out).toBe('nightly is updated\n')
  expect((await world.cli('backups jobs')).out).toContain('disabled')
  expect((await world.cli('backups delete nightly --yes')).out).toBe(
    'nightly is deleted, its backups are kept\n',
  )
})

test('0: follows a run to its end, lists and shows it', async () => {
  await using world = await backupClient()
  await world.cli(create)
  const ran = await world.cli('backups run nightly')
  expect(ran.code).toBe(0)
  expect(ran.out).toMatch(
    /^nightly is backed up in .*: 6\.\d kB, 7\.\d kB stored at nas\/nightly\/\S+\n$/,
  )
  const listed = await world.cli('backups runs --job nightly')
  const [, row] = listed.out.split('\n')
  expect(row).toMatch(/^\S+ +nightly +backup +succeeded /)
  const shown = await world.cli(['backups', 'runs', present(row?.split(' ')[0])])
  expect(shown.out).toMatch(/volume-photos\.tar\.zst +volume +photos +1 /)
  const asked = await world.cli('backups run nightly --no-wait --output json')
  expect(JSON.parse(asked.out)).toMatchObject({ status: 'running' })
})

test('0: delete-run deletes a backup, and with --force only its run; 2: it asks', async () => {
  await using world = await backupClient()
  await world.cli(create)
  const ids: string[] = []
  for (let runs = 0; runs < 2; runs += 1) {
    await world.cli('backups run nightly')
    ids.push(present((await world.ports.backupRuns.list({ limit: 1 }))[0]).id)
  }
  const [first, second] = ids
  expect((await world.cli(`backups delete-run ${first}`)).code).toBe(2)
  expect((await world.cli(`backups delete-run ${first} --yes`)).out).toBe(
    `the backup ${first} is deleted\n`,
  )
  world.ports.backupTargets.open = async () => {
    throw internalError('the target does not respond')
  }
  expect((await world.cli(`backups delete-run ${second} --yes`)).code).toBe(1)
  expect((await world.cli(`backups delete-run ${second} --yes --force`)).out).toBe(
    `the run ${second} is deleted\n`,
  )
  expect(await world.ports.backupRuns.list({ limit: 9 })).toEqual([])
})

test('0: warns at each step of what a backup does not contain', async () => {
  await using world = await clientWorld()
  await world.login()
  const web = 'web: { image: busybox:latest, command: sleep 9, volumes: ["/srv/ext:/ext"] }'
  await stackOf(world, 'shop', `services: { ${web} }`)
  await world.cli('backups create nightly --stack shop --to nas')
  const warning = (missing: string) =>
    `stack shop: /ext of service web is ${missing}: /srv/ext is outside of the stack's directory`
  const ran = await world.cli('backups run nightly')
  expect([ran.code, ran.err]).toEqual([
    0,
    expect.stringContaining(`warning: ${warning('not backed up')}\n`),
  ])
  const run = present((await world.ports.backupRuns.list({ limit: 1 }))[0]).id
  expect((await world.cli('backups runs')).out.split('\n')[1]).toMatch(/ ada +1 +-$/)
  const shown = await world.cli(`backups runs ${run}`)
  expect(shown.out).toContain(`${warning('not backed up')}\n`)
  const verified = await world.cli(`backups verify ${run}`)
  expect([verified.code, verified.err]).toEqual([0, `warning: ${warning('not in the backup')}\n`])
  const restored = await world.cli(`backups restore ${run} --stack shop --stack-name copy`)
  expect([restored.code, restored.err]).toEqual([
    0,
    expect.stringContaining(`warning: ${warning('not restored').replace('shop', 'copy')}\n`),
  ])
})

test('1: reports why a run failed', async () => {
  await using world = await backupClient()
  await world.cli(create)
  world.ports.backupTargets.failing = (call) =>
    call === 'put' ? internalError('no space is left at the target') : undefined
  const { code, err } = await world.cli('backups run nightly')
  expect(code).toBe(1)
  expect(err).toContain('the backup failed: volume photos: no space is left at the target')
  expect((await world.cli('backups run none')).code).toBe(1)
})

test('0: shows why a job is blocked, and takes it over', async () => {
  await using world = await backupClient()
  await world.cli(create)
  const { ports } = world
  const job = present((await ports.backupJobs.list())[0])
  const blocked = 'account olga was deleted'
  const gone = { ...present(job.actsAs), accountId: 'gone', username: 'olga', blocked }
  await ports.backupJobs.replace({ ...job, actsAs: gone })
  expect((await world.cli('backups jobs')).out).toMatch(/ blocked /)
  const shown = await world.cli('backups jobs nightly')
  expect(shown.out).toContain('blocked    account olga was deleted\n')
  const refused = await world.cli('backups run nightly')
  expect([refused.code, refused.err]).toEqual([1, expect.stringContaining('backups take-over')])
  expect((await world.cli('backups take-over nightly')).out).toBe('nightly acts as you\n')
  expect((await world.cli('backups jobs nightly')).out).toContain('acts as    ada\n')
  expect((await world.cli('backups run nightly')).code).toBe(0)
})

test('0: asks for secrets of targets and never shows them', async () => {
  await using world = await backupClient()
  const s3 = `${create.replace('nas', 's3://bucket/some/where')} --access-key-id AK --endpoint http://minio:9000`
  expect((await world.cli(s3, { stdin: 'hush\n' })).code).toBe(0)
  const sftp = `${create.replace('nas', 'sftp://ada@nas:2222/srv').replace('nightly', 'b')} --host-key SHA256:${'a'.repeat(43)}`
  expect((await world.cli(sftp, { stdin: 'quiet\n' })).code).toBe(0)
  const [one, two] = await world.ports.backupJobs.list()
  expect(one?.target).toMatchObject({
    prefix: 'some/where',
    secretAccessKey: 'hush',
    forcePathStyle: true,
  })
  expect(two?.target).toMatchObject({
    host: 'nas',
    port: 2222,
    username: 'ada',
    path: '/srv',
    password: 'quiet',
  })
  const shown =
    (await world.cli('backups jobs nightly')).out + (await world.cli('backups jobs b')).out
  expect(shown).toContain('s3://bucket/some/where')
  expect(shown).not.toMatch(/hush|quiet/)
})

test('2: names what is missing', async () => {
  await using world = await backupClient()
  const wrong: [string, string][] = [
    ['backups create nightly --to nas', '--stack'],
    ['backups create nightly --volume photos', '--to'],
    ['backups create nightly --volume photos --to s3://bucket', '--access-key-id'],
    ['backups create nightly --volume photos --to sftp://ada@nas/', '--host-key'],
    [`${create} --keep-last none`, '--keep-last'],
    ['backups update nightly', 'nothing to change'],
  ]
  for (const [words, what] of wrong) {
    const { code, err } = await world.cli(words)
    expect(code, words).toBe(2)
    expect(err, words).toContain(what)
  }
})

test('0: sets commands before and after as words or a list; keeps the other one', async () => {
  await using world = await backupClient()
  await stackOf(world, 'shop', 'services: { db: { image: busybox:latest, command: sleep 9 } }')
  const list = '["shop/db","sh","-c","rm -f /dump"]'
  const words = ['--before', 'shop/db pg_dump  -U shop', '--after', list]
  expect(await world.cli([...create.split(' '), ...words])).toMatchObject({ code: 0 })
  const hooks = async () => present((await world.ports.backupJobs.list())[0]).hooks
  const before = { service: 'shop/db', command: ['pg_dump', '-U', 'shop'] }
  const after = { service: 'shop/db', command: ['sh', '-c', 'rm -f /dump'] }
  expect(await hooks()).toEqual({ before, after })
  expect((await world.cli('backups jobs nightly')).out).toContain(
    'before     shop/db: pg_dump -U shop\n',
  )
  await world.cli('backups update nightly --after none')
  expect(await hooks()).toEqual({ before, after: null })
  await world.cli('backups update nightly --keep-last 3')
  expect(await hooks()).toEqual({ before, after: null })
})

test.each([
  ['db', 'a service and its command'],
  ['', 'a service and its command'],
  ['[]', 'a service and its command'],
  ['["db", 1]', 'must be a JSON list of strings'],
  ['[db', 'must be a JSON list of strings'],
])('2: --before %j', async (text, problem) => {
  await using world = await backupClient()
  const { code, err } = await world.cli([...create.split(' '), '--before', text])
  expect(code).toBe(2)
  expect(err).toContain(problem)
  expect(await world.ports.backupJobs.list()).toEqual([])
})
