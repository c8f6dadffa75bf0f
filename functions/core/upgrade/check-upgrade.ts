import { ownEntry } from '../../compose/lookup.ts'
import { splitReference } from '../../compose/reference/image-reference.ts'
import type { ResolvedImage } from '../../compose/snapshot.ts'
import { invalid, notFound } from '../errors.ts'
import { checkedReference } from '../images/reference.ts'
import type { Engine } from '../ports/engine.ts'
import type { Needs } from '../ports/ports.ts'
import { storeFormat, version } from '../version.ts'
import {
  type Finding,
  judgeUpgrade,
  type NewVersion,
  resultOf,
  type StoreFormats,
  type UpgradeResult,
} from './judge-upgrade.ts'
import { type OwnPlace, ownPlace } from './own-place.ts'

/** What is to replace the running version: an image, or the running image with another tag. */
export interface UpgradeTo {
  image?: string | undefined
  version?: string | undefined
}

export interface CheckedUpgrade {
  next: NewVersion
  result: UpgradeResult
  findings: Finding[]
}

export type UpgradePorts = Needs<
  'engines' | 'hosts' | 'ownProcess' | 'serviceProcesses' | 'serviceUpgrades'
>

/**
 * Returns what speaks against an upgrade. Reads labels of images on the host of the service; pulls,
 * starts and changes nothing.
 *
 * @throws 400 if the service runs in no container and no version is named, or if the container was
 *   made from an image without a name and none is named
 * @throws 404 if the image is not on the host
 */
export async function checkUpgrade(to: UpgradeTo, ports: UpgradePorts): Promise<CheckedUpgrade> {
  const place = await ownPlace(ports)
  const next = await nextVersion(to, place)
  const own = place.kind === 'container' ? place.container : undefined
  const findings = judgeUpgrade({
    running: { version, storeFormat },
    place,
    platform: own && (await imageOn(own.engine, own.imageId))?.platform,
    others: await otherMachines(ports),
    next,
  })
  return { next, result: resultOf(findings), findings }
}

async function nextVersion(to: UpgradeTo, place: OwnPlace): Promise<NewVersion> {
  if (place.kind !== 'container') {
    if (to.version !== undefined) {
      return { image: undefined, version: to.version, storeFormat: undefined }
    }
    throw invalid(
      'version: required, because the service finds no container of its own and so cannot judge an image',
    )
  }
  const { engine, image } = place.container
  const name = to.image === undefined ? ownName(image, to.version) : checkedReference(to.image)
  const found = await imageOn(engine, name)
  if (!found) {
    throw notFound(
      `image ${name} is not on the host of the service: load it with \`docker load\`, or pull it`,
    )
  }
  return versionOf(name, found)
}

function ownName(image: string, tag: string | undefined): string {
  const { repository, ...parts } = splitReference(image)
  if (/^(?:sha256:)?[0-9a-f]{12,64}$/.test(image)) {
    throw invalid('image: the service was started from an image without a name, so name one')
  }
  return `${repository}:${tag ?? parts.tag ?? 'latest'}`
}

async function imageOn(engine: Engine, name: string): Promise<ResolvedImage | undefined> {
  const { images } = await engine.resolve({ networks: [], volumes: [], images: [name] })
  return ownEntry(images, name)
}

/** Returns what the labels of an image say. The builder of the image wrote them. */
function versionOf(name: string, { id, labels, platform }: ResolvedImage): NewVersion {
  return {
    image: {
      name,
      id,
      isOfService: ownEntry(labels, 'org.opencontainers.image.title') === 'Container Stacks',
      platform,
    },
    version: ownEntry(labels, 'org.opencontainers.image.version')?.slice(0, 128),
    storeFormat: formatsOf(labels),
  }
}

function formatsOf(labels: ResolvedImage['labels']): StoreFormats | undefined {
  const [reads, writes] = ['reads', 'writes'].map((word) =>
    ownEntry(labels, `container-stacks.store-format.${word}`),
  )
  const isNumber = (text: string | undefined) => text !== undefined && /^\d{1,6}$/.test(text)
  if (!isNumber(reads) || !isNumber(writes)) return undefined
  return { reads: Number(reads), writes: Number(writes) }
}

/** A record outlives its process, until its container is removed. */
async function otherMachines({
  ownProcess: { place },
  serviceProcesses,
  serviceUpgrades,
}: Needs<'ownProcess' | 'serviceProcesses' | 'serviceUpgrades'>): Promise<string[]> {
  const last = await serviceUpgrades.last()
  const replaced = [last, last?.before].flatMap((one) => [one?.helper, one?.from.containerId])
  const own = new Set([place.id, ...replaced])
  const others = (await serviceProcesses.list()).filter(({ id }) => !own.has(id))
  return [...new Set(others.map(({ machine }) => machine))].sort()
}
