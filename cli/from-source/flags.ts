import type { FlagValues } from '../command.ts'
import { wrongUsage } from '../failure.ts'
import { sourceFields, sourceFlags } from '../flags/source-flags.ts'
import type { FolderFlags } from '../folder/flags.ts'
import type { Place } from './same-place.ts'

/** Flags of a stack whose files are those of a source. */
export const fromSourceFlags = {
  '--git <url>': 'Take the files from this git repository, over https or ssh',
  '--oci <reference>': 'Take the files from this project in a registry',
  '--source <name>': 'Take the files from this source, which exists',
  '--path <folder>': 'The folder of the files in the source, if it has several',
  '--ref <ref>': 'A branch, tag or commit, by default HEAD; of a registry a tag, by default latest',
  '--on-change <mode>':
    '`notify`, `plan` or `deploy` what is new at the source; the default is plan',
  ...sourceFlags,
} as const

/** What errors call the fields of these flags. */
export const fromSourceFields = {
  ...sourceFields,
  url: '--git',
  ref: '--ref',
  source: '--source',
  path: '--path',
  // That of a file which is sent has no flag.
  'files.path': 'files.path',
  on_change: '--on-change',
} as const

export type FromSourceFlags = FlagValues<typeof fromSourceFlags>

/** Returns whether a stack is to be made of a source. Throws wrong usage for flags that differ. */
export function isFromSource(flags: FolderFlags & FromSourceFlags): boolean {
  const places = [flags.git, flags.oci, flags.source].filter((one) => one !== undefined)
  if (places.length > 1) throw wrongUsage('use one of --git, --oci and --source')
  if (places.length === 0) {
    const alone = given(ofSource, flags)[0]
    if (alone !== undefined) throw wrongUsage(`${alone}: is for --git, --oci or --source`)
    return false
  }
  const local = given(ofFolder, flags)[0]
  if (local !== undefined) {
    throw wrongUsage(`${local}: the files are those of the source, and none are sent`)
  }
  const other = flags.source === undefined ? undefined : given(ofNewSource, flags)[0]
  if (other !== undefined) {
    throw wrongUsage(
      `${other}: is for a new source`,
      `to change one: cli sources update ${flags.source} ${other} …`,
    )
  }
  return true
}

type Named = readonly (readonly [keyof FolderFlags | keyof FromSourceFlags, string])[]

const ofFolder: Named = [
  ['file', '--file'],
  ['directory', '--directory'],
  ['envFile', '--env-file'],
  ['withoutEnv', '--without-env'],
  ['overlay', '--overlay'],
  ['include', '--include'],
  ['all', '--all'],
  ['emptyData', '--empty-data'],
  ['dryRun', '--dry-run'],
]

const ofNewSource: Named = [
  ['ref', '--ref'],
  ['every', '--every'],
  ['user', '--user'],
  ['username', '--username'],
  ['ca', '--ca'],
  ['privateKey', '--private-key'],
  ['ageIdentity', '--age-identity'],
]

const ofSource: Named = [
  ['path', '--path'],
  ['onChange', '--on-change'],
  ['hostKey', '--host-key'],
  ...ofNewSource,
]

/** Returns the flags of a list that were given. */
const given = (named: Named, flags: FolderFlags & FromSourceFlags): string[] =>
  named.flatMap(([key, flag]) => {
    const value = flags[key]
    const isGiven = Array.isArray(value) ? value.length > 0 : value !== undefined && value !== false
    return isGiven ? [flag] : []
  })

/** Returns the place that `--git` or `--oci` names, or undefined with `--source`. */
export function placeOf({ git, oci, ref }: FromSourceFlags): Place | undefined {
  if (git !== undefined) return { kind: 'git', url: git, ref: ref ?? 'HEAD' }
  return oci === undefined ? undefined : ociPlace(oci, ref)
}

/** A registry may have a port, so a tag has no slash behind its colon. */
function ociPlace(text: string, ref: string | undefined): Place {
  const plain = text.replace(/^oci:\/\//i, '')
  const found = /^(.+?)(?:@(sha256:[0-9a-f]+)|:([^/:@]+))$/.exec(plain)
  const named = found?.[2] ?? found?.[3]
  if (named !== undefined && ref !== undefined) {
    throw wrongUsage(`--ref: --oci has ${JSON.stringify(named)} already`)
  }
  return { kind: 'oci', url: `oci://${found?.[1] ?? plain}`, ref: named ?? ref ?? 'latest' }
}
