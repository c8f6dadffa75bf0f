import type { Platform } from '../../compose/snapshot.ts'
import type { OwnContainer, OwnPlace } from './own-place.ts'
import { versionStep } from './version-step.ts'

/** The newest format of stored items that a version reads, and the one that it writes. */
export interface StoreFormats {
  reads: number
  writes: number
}

/** The version that runs, or one that is to replace it. */
export interface RunningVersion {
  version: string
  storeFormat: StoreFormats
}

interface NewImage {
  name: string
  id: string
  isOfService: boolean
  /** Undefined if unknown. */
  platform: Platform | undefined
}

/** What is known of the version that is to replace the running one. */
export interface NewVersion {
  /** Undefined if only a version was named. */
  image: NewImage | undefined
  version: string | undefined
  storeFormat: StoreFormats | undefined
}

export const findingKinds = ['refused', 'one_way', 'note'] as const
export const findingReasons = [
  'not_in_a_container',
  'unknown_container',
  'no_data_mount',
  'unnamed_volume',
  'other_processes',
  'same_image',
  'foreign_image',
  'other_platform',
  'unknown_version',
  'older_version',
  'skipped_version',
  'unknown_store_format',
  'unreadable_store',
  'converts_store',
] as const

/** What speaks against an upgrade, or what has to be known before it. */
export interface Finding {
  kind: (typeof findingKinds)[number]
  reason: (typeof findingReasons)[number]
  message: string
}

export const upgradeResults = ['allowed', 'one_way', 'refused', 'current'] as const
export type UpgradeResult = (typeof upgradeResults)[number]

interface Facts {
  running: RunningVersion
  place: OwnPlace
  /** The platform of the image that runs, if it is known. */
  platform: Platform | undefined
  /** The machines of other processes of the service that have registered. */
  others: readonly string[]
  next: NewVersion
}

/** Returns all findings about an upgrade, those about the installation first. */
export function judgeUpgrade({ running, place, platform, others, next }: Facts): Finding[] {
  const installation = [
    ...(place.kind === 'container' ? ofContainer(place.container) : [ofPlace(place.kind)]),
    ...(others.length > 0 ? [ofProcesses(others)] : []),
  ]
  const { image } = next
  if (image && place.kind === 'container' && place.container.imageId === image.id) {
    const message = `image ${image.name} is the one that runs`
    return [...installation, finding('note', 'same_image', message)]
  }
  return [
    ...installation,
    ...(image ? ofImage(image, platform) : []),
    ...ofVersion(running, next),
    ...ofStore(running, next),
  ]
}

/** Returns what the findings amount to. */
export function resultOf(findings: readonly Finding[]): UpgradeResult {
  if (findings.some(({ kind }) => kind === 'refused')) return 'refused'
  if (findings.some(({ reason }) => reason === 'same_image')) return 'current'
  return findings.some(({ kind }) => kind === 'one_way') ? 'one_way' : 'allowed'
}

const finding = (kind: Finding['kind'], reason: Finding['reason'], message: string): Finding => ({
  kind,
  reason,
  message,
})

const ofPlace = (kind: 'elsewhere' | 'unknown') =>
  kind === 'elsewhere'
    ? finding(
        'note',
        'not_in_a_container',
        'the service runs in no container: upgrade its package or its clone as docs/upgrading.md says',
      )
    : finding(
        'note',
        'unknown_container',
        'the service runs in a container that it cannot find on the host `local`: what is mounted there could not be checked',
      )

function ofContainer({ data, name }: OwnContainer): Finding[] {
  if (!data) {
    const problem = `container ${name} has no volume for the data of the service: a new container starts with nothing`
    const way = 'copy the data out first, and start a container with a volume at its directory'
    return [finding('refused', 'no_data_mount', `${problem}; ${way}`)]
  }
  // An Engine names the volumes that an image declares and no command mounts.
  if (data.kind === 'directory' || !/^[0-9a-f]{64}$/.test(data.source)) return []
  const problem = `the data of the service is in volume ${data.source}, which no command names: a new container gets another one`
  const way = 'name this volume in the command that starts the new container'
  return [finding('note', 'unnamed_volume', `${problem}; ${way}`)]
}

const ofProcesses = (machines: readonly string[]) =>
  finding(
    'note',
    'other_processes',
    `other processes of the service have registered, on ${machines.join(', ')}: upgrade or stop each of them too`,
  )

function ofImage(image: NewImage, platform: Platform | undefined): Finding[] {
  const found: Finding[] = []
  if (!image.isOfService) {
    const problem = `image ${image.name} is not an image of this service`
    found.push(finding('refused', 'foreign_image', `${problem}: name one of Container Stacks`))
  }
  if (image.platform && platform && platformText(image.platform) !== platformText(platform)) {
    const wanted = platformText(platform)
    const problem = `image ${image.name} is for ${platformText(image.platform)}, but the service runs on ${wanted}`
    found.push(finding('refused', 'other_platform', `${problem}: use the image for ${wanted}`))
  }
  return found
}

const platformText = ({ os, architecture }: Platform) => `${os}/${architecture}`

function ofVersion(running: RunningVersion, { version }: NewVersion): Finding[] {
  const step = version === undefined ? 'unknown' : versionStep(running.version, version)
  if (step === 'unknown') {
    const problem = 'the image does not say its version'
    return [
      finding(
        'note',
        'unknown_version',
        `${problem}: make sure that it is no older one, and skips none`,
      ),
    ]
  }
  if (step === 'older') {
    const problem = `version ${version} is older than ${running.version}`
    const way = 'to go back, follow "Go back to the version before" in docs/upgrading.md'
    return [finding('refused', 'older_version', `${problem}; ${way}`)]
  }
  if (step === 'skips') {
    const problem = `version ${version} skips a minor version after ${running.version}`
    return [finding('refused', 'skipped_version', `${problem}: take each one in between`)]
  }
  return []
}

function ofStore(running: RunningVersion, { image, storeFormat: next }: NewVersion): Finding[] {
  const { reads, writes } = running.storeFormat
  if (!next) {
    const problem = 'it is not known which formats of the store the new version has'
    const way = 'read in the changelog whether it converts the store'
    // Only what an image is replaced by has no way back: a version that is named changes nothing.
    const kind = image ? 'one_way' : 'note'
    return [finding(kind, 'unknown_store_format', `${problem}: ${way}`)]
  }
  if (next.reads < writes) {
    const problem = `the store has format ${writes}, and the new version reads formats up to ${next.reads}`
    return [finding('refused', 'unreadable_store', `${problem}: take a newer version`)]
  }
  if (next.writes <= reads) return []
  const problem = `the new version converts the store to format ${next.writes}, and this one reads formats up to ${reads}`
  const way = 'going back then needs the copy in store-copies/, and loses what was saved since'
  return [finding('one_way', 'converts_store', `${problem}; ${way}`)]
}
