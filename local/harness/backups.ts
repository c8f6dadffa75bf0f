import { extract } from 'tar-stream'
import { present } from '../../adapters/testing/present.ts'
import create from '../../functions/backup-jobs/create.ts'
import run from '../../functions/backup-jobs/run.ts'
import { noInstallation } from '../../functions/core/owners/installation.ts'
import type { Bytes } from '../../functions/core/ports/backup-targets.ts'
import { tarOf } from '../../functions/core/tar/make.ts'
import { call } from './call.ts'
import type { TestCaller } from './sign-in.ts'
import { givenContainer, givenStack, type World, world } from './world.ts'

/**
 * Returns a world with the stack `shop`, whose volume has a file, and a separate volume `loose`.
 */
export async function backupWorld() {
  const here = world()
  async function* system(): Bytes & AsyncGenerator<Uint8Array> {
    yield await tarOf([file('store', 'records and keys')])
  }
  const whole = {
    ...here,
    ports: { ...here.ports, systemArchive: { ...here.ports.systemArchive, read: () => system() } },
  }
  await givenStack(whole)
  await givenVolume(whole, 'shop_data', 'orders')
  await givenVolume(whole, 'loose', 'photos')
  return whole
}

export type BackupWorld = Awaited<ReturnType<typeof backupWorld>>

const file = (path: string, text: string) => ({ path, content: Buffer.from(text), mode: 0o644 })

/** Creates a volume with one file of this text. */
export async function givenVolume({ engine }: Pick<World, 'engine'>, name: string, text: string) {
  if (!engine.state.volumes.has(name)) engine.state.volumes.set(name, { name, labels: {} })
  engine.state.archives.set(`volume ${name}`, await tarOf([file('data/file', text)]))
}

/** The body of a job that backs up the stack to a directory of the service. */
export const jobBody = {
  name: 'nightly',
  sources: [{ kind: 'stack', name: 'shop' }],
  target: { kind: 'local', path: 'shop' },
}

/** Creates a job from `jobBody`, changed by `more`. Returns its ID. */
export async function givenJob(
  { ports }: Pick<World, 'ports'>,
  more: object = {},
): Promise<string> {
  const made = await call(create, { ports, as: 'admin', body: { ...jobBody, ...more } })
  if (made.status !== 201) throw new Error(made.text)
  return made.json.id
}

/** Puts the service into a container of this Engine, with its data in a volume. */
export async function givenInstallation(here: World) {
  await givenVolume(here, 'container-stacks_data', 'keys')
  const binds = ['container-stacks_data:/data']
  const id = await givenContainer(here, 'container-stacks-service-1', {
    hostConfig: { Binds: binds },
  })
  here.engine.own = {
    ...noInstallation,
    containers: new Map([[id, 'service']]),
    volumes: new Set(['container-stacks_data']),
    projects: new Set(['container-stacks']),
  }
}

/** Runs a job to its end. Returns the run's record. */
export async function runJob(
  { ports }: Pick<World, 'ports'>,
  id: string,
  as: TestCaller = 'admin',
) {
  const begun = await call(run, { ports, as, path: { id } })
  if (begun.status !== 202) throw new Error(begun.text)
  await ports.background.settled()
  return present(await ports.backupRuns.find(begun.json.id))
}

/** Returns the files of a stored archive: path → text. */
export async function storedFiles({ ports }: Pick<BackupWorld, 'ports'>, name: string) {
  const [key] = [...ports.backupTargets.objects.keys()].filter((one) => one.endsWith(`/${name}`))
  const archive = extract()
  archive.end(present(ports.backupTargets.objects.get(present(key))))
  const found: Record<string, string> = {}
  for await (const entry of archive) {
    const chunks: Buffer[] = []
    for await (const chunk of entry) chunks.push(chunk as Buffer)
    found[entry.header.name] = Buffer.concat(chunks).toString('utf8')
  }
  return found
}
