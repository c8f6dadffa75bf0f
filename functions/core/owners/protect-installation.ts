import type { Step } from '../../compose/step.ts'
import type { Engine } from '../ports/engine.ts'
import type { FilePlace } from '../records/host-engine.ts'
import { ownDirectoryAt } from './installation.ts'
import { installationRefusal } from './installation-refusal.ts'
import { lacks, type Verb } from './rights.ts'
import { takenName } from './taken-names.ts'
import { aliasesIn, usedByContainer } from './used-by-container.ts'

/** A container that a caller means. */
interface Identified {
  id: string
  name: string
  hostname: string
  /** The names of its networks. */
  networks: readonly string[]
}

/** How an Engine tells which thing a caller means. */
export interface Identify {
  /** The Engine resolves a name, an ID or the beginning of an ID. */
  container(named: string): Promise<Identified | undefined>
  image(named: string): Promise<{ id: string; isPulled: boolean } | undefined>
  /** Returns the name of a network. */
  network(named: string): Promise<string | undefined>
}

/**
 * Returns the Engine with a check before each call that would start, stop, change, enter, copy or
 * join a part of the installation, whoever asks and however it is named. All ways to a host pass
 * here.
 */
export function protectInstallation<E extends Engine>(engine: E, identify: Identify): E {
  const refuse = (verb: Verb, subject: string, way?: 'copy' | 'use') => {
    if (lacks(verb, 'installation')) throw installationRefusal(subject, way)
  }
  /** Returns what the installation has, or undefined if it has nothing on this Engine. */
  const present = async () => {
    const installation = await engine.installation()
    return installation.containers.size > 0 ? installation : undefined
  }
  const container = async (verb: Verb, named: string) => {
    const installation = await present()
    const found = installation && (await identify.container(named))
    const kind = found && installation?.containers.get(found.id)
    // Helpers answer 404 to everything; a label may also come from an administrator's mistake.
    if (!kind || kind === 'helper') return
    if (kind === 'labelled' && (verb === 'start' || verb === 'stop' || verb === 'remove')) return
    refuse(verb, `container ${found.name}`)
  }
  const image = async (named: string, by: 'name' | 'pull', id?: string) => {
    const installation = await present()
    const found = installation && (await identify.image(named))
    if (!found || found.id === id || !installation?.images.has(found.id)) return
    // A registry gives an image that it gave before; a local build has no other source.
    if (by === 'pull' && found.isPulled) return
    refuse('replace-image', `image ${named}`)
  }
  const volume = async (verb: Verb, name: string) => {
    const installation = await present()
    if (installation?.volumes.has(name))
      refuse(verb, `volume ${name}`, verb === 'remove-volume' ? undefined : 'copy')
  }
  const network = async (verb: Verb, named: string) => {
    const installation = await present()
    if (!installation) return
    const name = (await identify.network(named)) ?? named
    if (installation.networks.has(name))
      refuse(verb, `network ${name}`, verb === 'remove-network' ? undefined : 'use')
  }
  /** @param names what a container answers to in the network */
  const join = async (named: string, names: readonly string[]) => {
    await network('join-network', named)
    await answer(named, names)
  }
  const answer = async (named: string, names: readonly string[]) => {
    const installation = await present()
    if (!installation || installation.joined.size === 0) return
    const name = (await identify.network(named)) ?? named
    const taken = takenName(installation.joined, name, names)
    if (taken !== undefined) refuse('take-name', `name ${taken} in network ${name}`, 'use')
  }
  const directory = async (path: string) => {
    const own = ownDirectoryAt(path, await engine.installation())
    if (own !== undefined) refuse('copy-volume', own, 'copy')
  }
  const place = async (one: FilePlace) => {
    if (one.kind === 'volume') await volume('copy-volume', one.name)
    else await directory(one.path)
  }

  async function step(one: Step): Promise<void> {
    if (one.kind === 'image') {
      if (one.action === 'pull') await image(one.name, 'pull')
      if (one.action === 'tag') await image(one.name, 'pull', one.source)
      if (one.action === 'remove') await image(one.name, 'name')
    } else if (one.kind === 'volume') {
      await volume(one.action === 'remove' ? 'remove-volume' : 'mount-volume', one.name)
    } else if (one.kind === 'network') {
      if (one.action === 'disconnect') return container('remove', one.container)
      if (one.action === 'connect') return connect(one)
      await network(one.action === 'remove' ? 'remove-network' : 'join-network', one.name)
    } else if (one.kind === 'container') {
      if (one.action === 'create' || one.action === 'recreate') await uses(one)
      else if (one.action === 'rename') await rename(one)
      else if (!harmless.has(one.action)) await container(verbOf(one.action), one.name)
    }
  }

  async function uses({ name, body }: CreateStep): Promise<void> {
    if (!(await present())) return
    const used = usedByContainer(name, body)
    for (const name of used.volumes) await volume('mount-volume', name)
    for (const { name, names } of used.networks) await join(name, names)
    for (const named of used.containers) await container('namespace', named)
  }

  async function connect(one: StepOf<'connect'>): Promise<void> {
    const found = (await present()) && (await identify.container(one.container))
    const own = found ? [found.name, found.hostname] : []
    await join(one.name, [...aliasesIn(one.body), ...own])
  }

  async function rename({ name, to }: StepOf<'rename'>): Promise<void> {
    await container('remove', name)
    const found = (await present()) && (await identify.container(name))
    for (const network of found?.networks ?? []) await answer(network, [to])
  }

  return {
    ...engine,
    async execute(one, signal, report) {
      await step(one)
      return engine.execute(one, signal, report)
    },
    async act(id, action) {
      await container(action.kind === 'start' ? 'start' : 'stop', id)
      return engine.act(id, action)
    },
    async removeContainer(id, options) {
      await container('remove', id)
      return engine.removeContainer(id, options)
    },
    async commitContainer(id, options, signal) {
      await container('enter', id)
      return engine.commitContainer(id, options, signal)
    },
    async exec(id, options, signal) {
      await container('enter', id)
      return engine.exec(id, options, signal)
    },
    async attach(id, options, signal) {
      await container('enter', id)
      return engine.attach(id, options, signal)
    },
    async statInContainer(id, path) {
      await container('enter', id)
      return engine.statInContainer(id, path)
    },
    async *readFromContainer(id, path, signal) {
      await container('enter', id)
      yield* engine.readFromContainer(id, path, signal)
    },
    async writeIntoContainer(id, directory, archive) {
      await container('enter', id)
      return engine.writeIntoContainer(id, directory, archive)
    },
    async pullImage(reference, signal, options) {
      await image(reference, 'pull')
      return engine.pullImage(reference, signal, options)
    },
    async tagImage(id, reference) {
      await image(reference, 'name', id)
      return engine.tagImage(id, reference)
    },
    async removeImage(id, options) {
      await image(id, 'name')
      return engine.removeImage(id, options)
    },
    async readFiles(at, paths, options) {
      await directory(at)
      return engine.readFiles(at, paths, options)
    },
    async writeFiles(at, files, remove, emptied) {
      await directory(at)
      return engine.writeFiles(at, files, remove, emptied)
    },
    async *readArchive(one, owner, signal) {
      await place(one)
      yield* engine.readArchive(one, owner, signal)
    },
    async findSockets(one, owner, signal) {
      await place(one)
      return engine.findSockets(one, owner, signal)
    },
    async writeArchive(one, bytes, owner, signal) {
      await place(one)
      return engine.writeArchive(one, bytes, owner, signal)
    },
    async clearPlace(one, paths, owner, signal) {
      await place(one)
      return engine.clearPlace(one, paths, owner, signal)
    },
  }
}

type StepOf<A extends Step['action']> = Extract<Step, { action: A }>
type CreateStep = Extract<StepOf<'create' | 'recreate'>, { kind: 'container' }>

const harmless = new Set(['wait', 'unpause'])

function verbOf(action: string): Verb {
  if (action === 'exec' || action === 'upload') return 'enter'
  return action === 'start' || action === 'remove' ? action : 'stop'
}
