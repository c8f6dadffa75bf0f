import { type NewerTag, type VersionChange, versionChanges } from '../records/image-look.ts'

/** A tag that is a version: `v1.29.3-alpine` has the numbers 1, 29, 3. */
interface Version {
  prefix: string
  numbers: number[]
  suffix: string
}

const pattern = /^(v?)(\d{1,9}(?:\.\d{1,9}){0,2})((?:[-_+][A-Za-z][A-Za-z0-9._+-]*)?)$/

/** Suffixes of versions that are not finished. Only who runs one is offered another. */
const unfinished = /^[-_+](alpha|beta|rc|pre|dev|nightly|snapshot|canary|test)/i

/**
 * Returns the newest tag for each kind of change, the smallest change first: tags of the same form,
 * with the same number of numbers, dates in the same places and the same suffix. None if the tag is
 * no version.
 */
export function proposeTags(current: string, tags: readonly string[]): NewerTag[] {
  const own = versionOf(current)
  if (!own) return []
  const newest = new Map<VersionChange, { tag: string; version: Version }>()
  for (const tag of tags) {
    const version = versionOf(tag)
    if (!version || !isSameForm(version, own)) continue
    const change = changeBetween(own, version)
    const best = change && newest.get(change)
    if (change && (!best || isNewer(version, best.version))) newest.set(change, { tag, version })
  }
  return [...versionChanges].reverse().flatMap((change) => {
    const found = newest.get(change)
    return found ? [{ tag: found.tag, change }] : []
  })
}

/** Returns whether a tag is a version, so that there can be newer ones. */
export const isVersion = (tag: string): boolean => versionOf(tag) !== undefined

function versionOf(tag: string): Version | undefined {
  const [, prefix, numbers, suffix] = pattern.exec(tag) ?? []
  if (prefix === undefined || numbers === undefined || suffix === undefined) return undefined
  return { prefix, numbers: numbers.split('.').map(Number), suffix }
}

/** Numbers of a suffix, as in `-alpine3.22` or `-rc2`, may differ. */
const wordsOf = (suffix: string) => suffix.replace(/[\d.]+/g, '0')

/** A day such as 20260127, as in the tags of development versions beside `3`. */
const isDate = (number: number) => /^(19|20)\d\d(0[1-9]|1[0-2])([0-2]\d|3[01])$/.test(`${number}`)

const isSameForm = (one: Version, other: Version) =>
  one.prefix === other.prefix &&
  one.numbers.length === other.numbers.length &&
  one.numbers.every((number, at) => isDate(number) === isDate(other.numbers[at] ?? 0)) &&
  (unfinished.test(other.suffix)
    ? wordsOf(one.suffix) === wordsOf(other.suffix)
    : one.suffix === other.suffix)

/** Returns the first number that differs; undefined if the other version is not newer. */
function changeBetween(own: Version, other: Version): VersionChange | undefined {
  const at = own.numbers.findIndex((number, index) => number !== other.numbers[index])
  if (at < 0 || !isNewer(other, own)) return undefined
  return versionChanges[at]
}

function isNewer({ numbers }: Version, { numbers: others }: Version): boolean {
  const at = numbers.findIndex((number, index) => number !== others[index])
  return at >= 0 && (numbers[at] ?? 0) > (others[at] ?? 0)
}
